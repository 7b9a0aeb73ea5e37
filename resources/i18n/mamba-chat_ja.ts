<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja_JP" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>About Mamba Chat</source>
        <translation>Mamba Chatについて</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>バージョン{version}</translation>
    </message>
    <message>
        <source>Chats, models and figures stay on this Mac. The app uses the network only for downloads you ask for.</source>
        <translation>チャット、モデル、計測値はこのMacの外に出ません。通信は、頼んだダウンロードだけです。</translation>
    </message>
    <message>
        <source>Chats, models and figures stay on this computer. The app uses the network only for downloads you ask for.</source>
        <translation>チャット、モデル、計測値はこのコンピュータの外に出ません。通信は、頼んだダウンロードだけです。</translation>
    </message>
    <message>
        <source>{count} installed, {size}</source>
        <translation>{count}個、{size}</translation>
    </message>
    <message>
        <source>This Mac</source>
        <translation>このMac</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>このコンピュータ</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>バックエンド</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Acknowledgements</source>
        <translation>謝辞</translation>
    </message>
    <message>
        <source>Copy Details</source>
        <translation>詳細をコピー</translation>
    </message>
</context>
<context>
    <name>Acknowledgements</name>
    <message>
        <source>Acknowledgements</source>
        <translation>謝辞</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>ライセンス</translation>
    </message>
</context>
<context>
    <name>AddressChoice</name>
    <message>
        <source>This one:</source>
        <translation>指定する：</translation>
    </message>
</context>
<context>
    <name>AdvancedPane</name>
    <message>
        <source>Advanced</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Backend:</source>
        <translation>バックエンド：</translation>
    </message>
    <message>
        <source>Device:</source>
        <translation>デバイス：</translation>
    </message>
    <message>
        <source>Memory:</source>
        <translation>メモリ：</translation>
    </message>
    <message>
        <source>Show Logs</source>
        <translation>ログを表示</translation>
    </message>
    <message>
        <source>Show Data Folder</source>
        <translation>データのフォルダを表示</translation>
    </message>
    <message>
        <source>Chats and settings are in the data folder.</source>
        <translation>チャットと設定はデータのフォルダにあります。</translation>
    </message>
</context>
<context>
    <name>AnswerFooter</name>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>再生成</translation>
    </message>
    <message>
        <source>{ms} ms/token</source>
        <translation>{ms} ms/トークン</translation>
    </message>
    <message>
        <source>stopped at {n} tokens</source>
        <translation>{n}トークンで停止</translation>
    </message>
    <message>
        <source>reached {n} tokens</source>
        <translation>上限の{n}トークンに到達</translation>
    </message>
    <message>
        <source>{rate} tok/s</source>
        <translation>{rate}トークン/秒</translation>
    </message>
    <message>
        <source>first token {s} s</source>
        <translation>最初のトークン {s}秒</translation>
    </message>
</context>
<context>
    <name>AnswerView</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>再試行</translation>
    </message>
</context>
<context>
    <name>BenchmarkPopover</name>
    <message>
        <source>Rounds:</source>
        <translation>回数：</translation>
    </message>
    <message>
        <source>Write on to:</source>
        <translation>書き続ける位置：</translation>
    </message>
    <message>
        <source>Run Benchmark</source>
        <translation>ベンチマークを実行</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>トークン</translation>
    </message>
    <message>
        <source>Each chosen model is measured alone. In every round it reads {read} tokens of a text and writes {write}. Then it predicts that text, and at last it writes on.</source>
        <translation>選んだモデルを1つずつ測ります。各回で文章を{read}トークン読み、{write}トークン書きます。次にその文章をどれだけ予測できるかを調べ、最後に書き続けます。</translation>
    </message>
</context>
<context>
    <name>BiggerRow</name>
    <message>
        <source>Get</source>
        <translation>入手</translation>
    </message>
    <message>
        <source>Get a bigger model</source>
        <translation>もっと大きなモデルを入手</translation>
    </message>
    <message>
        <source>fits your {memory}</source>
        <translation>{memory}のメモリに余裕あり</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Today</source>
        <translation>今日</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨日</translation>
    </message>
    <message>
        <source>Previous 7 Days</source>
        <translation>過去7日間</translation>
    </message>
    <message>
        <source>{month} {year}</source>
        <translation>{year}年{month}</translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message>
        <source>writing</source>
        <translation>書いています</translation>
    </message>
</context>
<context>
    <name>ChatListView</name>
    <message>
        <source>Chats</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>名前を変更</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Compare Models…</source>
        <translation>モデルを比較…</translation>
    </message>
</context>
<context>
    <name>ChatRowDelegate</name>
    <message>
        <source>Title of the chat</source>
        <translation>チャットの題名</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code</source>
        <translation>コード</translation>
    </message>
    <message>
        <source>{language} code</source>
        <translation>{language}のコード</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>Time per token, by position</source>
        <translation>位置ごとのトークンあたりの時間</translation>
    </message>
    <message>
        <source>ms per token</source>
        <translation>ms/トークン</translation>
    </message>
    <message>
        <source>Solid: measured here, in this run.</source>
        <translation>実線はこの実行での実測。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>パラメータ数</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>ディスク</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>読み込み</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>最初のトークン</translation>
    </message>
    <message>
        <source>Prompt, tokens/s</source>
        <translation>読み取り、トークン/秒</translation>
    </message>
    <message>
        <source>ms/token, first 50</source>
        <translation>ms/トークン、最初の50</translation>
    </message>
    <message>
        <source>ms/token, last 50</source>
        <translation>ms/トークン、最後の50</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>トークン/秒</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>最大メモリ</translation>
    </message>
    <message>
        <source>Done, {count} tokens</source>
        <translation>完了、{count}トークン</translation>
    </message>
    <message>
        <source>Stopped at {count} tokens</source>
        <translation>{count}トークンで停止</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>読み込み中</translation>
    </message>
    <message>
        <source>Reading {done} of {total} tokens</source>
        <translation>{total}トークン中{done}を読み取り中</translation>
    </message>
    <message>
        <source>Waiting for its turn</source>
        <translation>順番待ち</translation>
    </message>
    <message>
        <source>The machine slept during this run.</source>
        <translation>実行中にスリープがありました。</translation>
    </message>
    <message>
        <source>Other programs kept the machine busy during this run.</source>
        <translation>実行中にほかのプログラムの負荷がありました。</translation>
    </message>
    <message>
        <source>Base models: they continue the text.</source>
        <translation>ベースモデルは文章の続きを書きます。</translation>
    </message>
    <message>
        <source>{n} models</source>
        <translation>{n}個のモデル</translation>
    </message>
    <message>
        <source>ddd d MMM</source>
        <translation>M月d日（ddd）</translation>
    </message>
    <message>
        <source>{day}, run {n}</source>
        <translation>{day}、{n}回目</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>メッセージ1件</translation>
    </message>
    <message>
        <source>{n} messages</source>
        <translation>メッセージ{n}件</translation>
    </message>
    <message>
        <source>Too large together to be interleaved: one at a time.</source>
        <translation>交互に実行するにはメモリが足りないため、1つずつ実行します。</translation>
    </message>
    <message>
        <source>Together they need {needed}, and {limit} are for models</source>
        <translation>合わせて{needed}が必要、モデル用は{limit}</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>Memory, by position</source>
        <translation>メモリ、位置ごと</translation>
    </message>
    <message>
        <source>Transformer {size}</source>
        <translation>Transformer {size}</translation>
    </message>
    <message>
        <source>Solid: measured here, one run of {n} tokens each.</source>
        <translation>実線はこのMacでの実測（各{n}トークン）。</translation>
    </message>
    <message>
        <source>Solid: measured here, one long run each.</source>
        <translation>実線はこのMacでの実測（それぞれ1回の長い実行）。</translation>
    </message>
    <message>
        <source>Dashed: calculated from the size of a Transformer’s cache at equal parameters.</source>
        <translation>破線は同じ規模のTransformerのキャッシュ量からの計算値。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>測定済み</translation>
    </message>
    <message>
        <source>Writing, {done} of {total} tokens</source>
        <translation>書き込み中、{total}トークン中{done}</translation>
    </message>
    <message>
        <source>Round {done} of {total}</source>
        <translation>{total}回中{done}回目</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>ウォームアップ中</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>品質</translation>
    </message>
    <message>
        <source>Quality against speed</source>
        <translation>品質と速さ</translation>
    </message>
    <message>
        <source>bits per byte</source>
        <translation>ビット/バイト</translation>
    </message>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message>
        <source>Time per token, over the benchmarks</source>
        <translation>1トークンあたりの時間、ベンチマークごと</translation>
    </message>
    <message>
        <source>The medians of the rounds, on this machine.</source>
        <translation>このMacでの各回の中央値。</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>Stopped before anything was measured</source>
        <translation>何も測らないうちに停止しました</translation>
    </message>
    <message>
        <source>Weights read, GB/s</source>
        <translation>読んだ重み、GB/秒</translation>
    </message>
    <message>
        <source>Bits per byte</source>
        <translation>ビット/バイト</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>パープレキシティ</translation>
    </message>
    <message>
        <source>State, constant</source>
        <translation>状態（一定）</translation>
    </message>
    <message>
        <source>Predicting a text, part {done} of {total}</source>
        <translation>文章を予測中、{total}個中{done}個目</translation>
    </message>
    <message>
        <source>Bits per byte: how well a model predicts passages of old books. Lower left is best.</source>
        <translation>ビット/バイトは、古い本の文章をどれだけ予測できるかを表します。左下ほど良い値です。</translation>
    </message>
    <message>
        <source>Spread of rounds</source>
        <translation>各回のばらつき</translation>
    </message>
    <message>
        <source>{day}, run {n}, benchmark</source>
        <translation>{day}、{n}回目、ベンチマーク</translation>
    </message>
    <message>
        <source>Does not fit, skipped</source>
        <translation>入らないため省略</translation>
    </message>
    <message>
        <source>Done, 1 token</source>
        <translation>完了、1トークン</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>停止しました</translation>
    </message>
    <message>
        <source>Stopped at 1 token</source>
        <translation>1トークンで停止</translation>
    </message>
    <message>
        <source>1 model</source>
        <translation>1個のモデル</translation>
    </message>
    <message>
        <source>Written in turns: the times cannot be compared.</source>
        <translation>交互に書いたため、時間は比べられません。</translation>
    </message>
</context>
<context>
    <name>CompareBar</name>
    <message>
        <source>New</source>
        <translation>新規</translation>
    </message>
    <message>
        <source>New Comparison</source>
        <translation>新規比較</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出す</translation>
    </message>
    <message>
        <source>Table as CSV…</source>
        <translation>表をCSVで…</translation>
    </message>
    <message>
        <source>Everything as JSON…</source>
        <translation>すべてをJSONで…</translation>
    </message>
    <message>
        <source>Answers and Table as Markdown…</source>
        <translation>回答と表をMarkdownで…</translation>
    </message>
    <message>
        <source>Table and Chart as PNG…</source>
        <translation>表とグラフをPNGで…</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>ベンチマーク</translation>
    </message>
    <message>
        <source>Measure the Chosen Models</source>
        <translation>選んだモデルを測る</translation>
    </message>
</context>
<context>
    <name>CompareChart</name>
    <message>
        <source>Chart</source>
        <translation>グラフ</translation>
    </message>
</context>
<context>
    <name>CompareChoice</name>
    <message>
        <source>Get</source>
        <translation>入手</translation>
    </message>
</context>
<context>
    <name>CompareChooser</name>
    <message>
        <source>Models to Compare</source>
        <translation>比較するモデル</translation>
    </message>
    <message>
        <source>No model is installed.</source>
        <translation>モデルがまだありません。</translation>
    </message>
    <message>
        <source>Five is the most. Take one out to choose another.</source>
        <translation>選べるのは5個までです。別のモデルを選ぶには、1個外してください。</translation>
    </message>
    <message>
        <source>Choose two to five.</source>
        <translation>2〜5個選んでください。</translation>
    </message>
</context>
<context>
    <name>CompareColumn</name>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Continue in Chat</source>
        <translation>チャットで続ける</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Better</source>
        <translation>こちらが良い</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>ms/token</source>
        <translation>ms/トークン</translation>
    </message>
</context>
<context>
    <name>CompareColumns</name>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
</context>
<context>
    <name>CompareController</name>
    <message>
        <source>Benchmark</source>
        <translation>ベンチマーク</translation>
    </message>
</context>
<context>
    <name>CompareEmpty</name>
    <message>
        <source>One prompt, one seed, several sizes. Choose two to five models, write a prompt, press Run.</source>
        <translation>同じ文、同じシード、いくつかの大きさで。モデルを2〜5個選び、文を書いて「実行」を押してください。</translation>
    </message>
    <message>
        <source>Choose Models…</source>
        <translation>モデルを選ぶ…</translation>
    </message>
</context>
<context>
    <name>CompareFigures</name>
    <message>
        <source>Names and figures are shown once you have voted.</source>
        <translation>名前と数値は、良いほうを選ぶと表示されます。</translation>
    </message>
</context>
<context>
    <name>CompareOptions</name>
    <message>
        <source>Options</source>
        <translation>オプション</translation>
    </message>
    <message>
        <source>Seed {value}</source>
        <translation>シード {value}</translation>
    </message>
    <message>
        <source>Temperature {value}</source>
        <translation>温度 {value}</translation>
    </message>
    <message>
        <source>Up to {value} tokens</source>
        <translation>最大{value}トークン</translation>
    </message>
    <message>
        <source>Run {value}</source>
        <translation>実行 {value}</translation>
    </message>
    <message>
        <source>Models {value}</source>
        <translation>モデル {value}</translation>
    </message>
    <message>
        <source>Seed:</source>
        <translation>シード：</translation>
    </message>
    <message>
        <source>Temperature:</source>
        <translation>温度：</translation>
    </message>
    <message>
        <source>Tokens at most:</source>
        <translation>トークン数の上限：</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>interleaved, blind</source>
        <translation>交互に、名前は伏せる</translation>
    </message>
    <message>
        <source>one at a time, blind</source>
        <translation>1つずつ、名前は伏せる</translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation>交互に</translation>
    </message>
    <message>
        <source>one at a time</source>
        <translation>1つずつ</translation>
    </message>
    <message>
        <source>One at a Time</source>
        <translation>1つずつ</translation>
    </message>
    <message>
        <source>Interleaved</source>
        <translation>交互に</translation>
    </message>
    <message>
        <source>Blind</source>
        <translation>名前を伏せる</translation>
    </message>
    <message>
        <source>After {value}</source>
        <translation>{value}の続き</translation>
    </message>
    <message>
        <source>Leave Them Out</source>
        <translation>含めない</translation>
    </message>
</context>
<context>
    <name>ComparePresenter</name>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出す</translation>
    </message>
    <message>
        <source>the picture cannot be saved there</source>
        <translation>画像をそこに保存できません</translation>
    </message>
    <message>
        <source>Comparison deleted</source>
        <translation>比較を削除しました</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>取り消す</translation>
    </message>
    <message>
        <source>Another version of Mamba Chat kept this comparison.</source>
        <translation>この比較は別のバージョンのMamba Chatで保存されたものです。</translation>
    </message>
</context>
<context>
    <name>ComparePrompt</name>
    <message>
        <source>Run</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>CompareSidebar</name>
    <message>
        <source>Sidebar</source>
        <translation>サイドバー</translation>
    </message>
    <message>
        <source>Comparisons appear here once you press Run.</source>
        <translation>「実行」を押すと、ここに比較が並びます。</translation>
    </message>
</context>
<context>
    <name>CompareTable</name>
    <message>
        <source>Figures</source>
        <translation>計測値</translation>
    </message>
</context>
<context>
    <name>CompareTableModel</name>
    <message>
        <source>best</source>
        <translation>最良</translation>
    </message>
</context>
<context>
    <name>CompareText</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Composer</source>
        <translation>入力欄</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>オプション</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>送信</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Return confirms the text first</source>
        <translation>リターンキーは、まず変換を確定します</translation>
    </message>
    <message>
        <source>Temperature {value}</source>
        <translation>温度 {value}</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>コードをコピー</translation>
    </message>
</context>
<context>
    <name>DownloadFooter</name>
    <message>
        <source>Download: {model}</source>
        <translation>ダウンロード：{model}</translation>
    </message>
    <message>
        <source>Download: {model} and {n} more</source>
        <translation>ダウンロード：{model}、ほか{n}個</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>ダウンロード</translation>
    </message>
</context>
<context>
    <name>DownloadRowView</name>
    <message>
        <source>{percent} %</source>
        <translation>{percent} %</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>再開</translation>
    </message>
    <message>
        <source>Cancel Download</source>
        <translation>ダウンロードを中止</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Open Page</source>
        <translation>ページを開く</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>There is no model at {path}; give the name of an installed model or its folder.</source>
        <translation>{path}にモデルがありません。入っているモデルの名前か、モデルのフォルダを指定してください。</translation>
    </message>
    <message>
        <source>{path} is a file; choose the folder of a model.</source>
        <translation>{path}はファイルです。モデルのフォルダを選んでください。</translation>
    </message>
    <message>
        <source>{path} cannot be read ({detail}); check the disk and your right to read it.</source>
        <translation>{path}を読み込めません（{detail}）。ディスクと、読み込む権限を確かめてください。</translation>
    </message>
    <message>
        <source>{path} holds no config.json; choose a folder with a model in it.</source>
        <translation>{path}にconfig.jsonがありません。モデルの入ったフォルダを選んでください。</translation>
    </message>
    <message>
        <source>{file} is incomplete: {found} of {expected} bytes; download it again.</source>
        <translation>{file}が途中までしかありません（{expected}バイトのうち{found}バイト）。もう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>{file} cannot be read as {format} ({detail}); download it again.</source>
        <translation>{file}を{format}として読み込めません（{detail}）。もう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>{path} holds no model.safetensors; download the model again.</source>
        <translation>{path}にmodel.safetensorsがありません。モデルをもう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>{path} lacks {file}; download the model again.</source>
        <translation>{path}に{file}がありません。モデルをもう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>{file} names {found}, which is outside its folder; choose another model.</source>
        <translation>{file}は、フォルダの外にある{found}を指しています。別のモデルを選んでください。</translation>
    </message>
    <message>
        <source>{name} should be stored as {expected} and is stored as {found}; choose another model.</source>
        <translation>{name}は{expected}で保存されているはずですが、{found}です。別のモデルを選んでください。</translation>
    </message>
    <message>
        <source>{file} lacks the tensor {name}; download the model again.</source>
        <translation>{file}にテンソル{name}がありません。モデルをもう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>{file} holds the tensor {name}, which a {family} model does not have; choose another model.</source>
        <translation>{file}に、{family}形式のモデルにはないテンソル{name}が入っています。別のモデルを選んでください。</translation>
    </message>
    <message>
        <source>{name} should have the shape {expected} and has {found}; download the model again.</source>
        <translation>{name}の形は{expected}のはずですが、{found}です。モデルをもう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>{name} holds values that are not numbers; download the model again.</source>
        <translation>{name}に数値でない値が入っています。モデルをもう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>{file} should give {expected} for {field} and gives {found}; download the model again.</source>
        <translation>{file}の{field}は{expected}のはずですが、{found}です。モデルをもう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>{file} is not a tokenizer that can be read ({detail}); download it again.</source>
        <translation>{file}をトークナイザとして読み込めません（{detail}）。もう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>{file} has {found} tokens and the model has room for {expected}; download the model again.</source>
        <translation>{file}には{found}個のトークンがありますが、モデルに入るのは{expected}個です。モデルをもう一度ダウンロードしてください。</translation>
    </message>
    <message>
        <source>The chat template of {name} failed ({detail}); choose another model.</source>
        <translation>{name}のチャットテンプレートを使えません（{detail}）。別のモデルを選んでください。</translation>
    </message>
    <message>
        <source>{name} is a {family} model. Mamba Chat runs {supported}.</source>
        <translation>{name}は{family}形式です。Mamba Chatで使えるのは{supported}です。</translation>
    </message>
    <message>
        <source>{name} holds its weights as {found}; choose a model in the Hugging Face layout, with config.json and model.safetensors.</source>
        <translation>{name}の重みは{found}で保存されています。config.jsonとmodel.safetensorsのある、Hugging Face形式のモデルを選んでください。</translation>
    </message>
    <message>
        <source>{file} was saved with another model ({found}); load the model it belongs to ({expected}).</source>
        <translation>{file}は別のモデル（{found}）で保存されたものです。元のモデル（{expected}）を読み込んでください。</translation>
    </message>
    <message>
        <source>There is no saved state at {file}; the chat will be read again.</source>
        <translation>{file}に保存した状態がないため、チャットを読み直します。</translation>
    </message>
    <message>
        <source>{file} is not a saved state that can be read ({detail}); the chat will be read again.</source>
        <translation>{file}を保存した状態として読み込めないため（{detail}）、チャットを読み直します。</translation>
    </message>
    <message>
        <source>The model ran out of memory at token {position}. What it wrote is kept.</source>
        <translation>{position}トークン目でメモリが足りなくなりました。そこまでの文章は残っています。</translation>
    </message>
    <message>
        <source>{name} needs {needed}, too near the {limit} for models; choose a smaller model.</source>
        <translation>{name}は{needed}を使い、モデル用の上限{limit}に近すぎます。もっと小さなモデルを選んでください。</translation>
    </message>
    <message>
        <source>No model is loaded; choose one first.</source>
        <translation>モデルが読み込まれていません。先にモデルを選んでください。</translation>
    </message>
    <message>
        <source>The {backend} backend was asked for and cannot be used here ({detail}).</source>
        <translation>指定されたバックエンド{backend}は、ここでは使えません（{detail}）。</translation>
    </message>
    <message>
        <source>{field} should be {expected} and is {found}.</source>
        <translation>{field}は{expected}のはずですが、{found}です。</translation>
    </message>
    <message>
        <source>Loading was stopped.</source>
        <translation>読み込みを中止しました。</translation>
    </message>
    <message>
        <source>Something went wrong inside Mamba Chat. The log says what; try again.</source>
        <translation>Mamba Chatの内部で問題が起きました。内容はログにあります。もう一度お試しください。</translation>
    </message>
    <message>
        <source>{path} cannot be written ({detail}); check the disk and your right to write it.</source>
        <translation>{path}に書き込めません（{detail}）。ディスクと書き込みの権限を確かめてください。</translation>
    </message>
    <message>
        <source>{path} is there already; give the name of a new folder.</source>
        <translation>{path}はすでにあります。新しいフォルダの名前を指定してください。</translation>
    </message>
    <message>
        <source>{file} asks for {found}, which weights never need, so it was not opened; choose another model.</source>
        <translation>{file}は重みには必要のない{found}を要求しているため、開きませんでした。別のモデルを選んでください。</translation>
    </message>
    <message>
        <source>{name} needs {needed} of the {limit} for models, which is tight: load it anyway?</source>
        <translation>{name}はモデル用の上限{limit}のうち{needed}を使い、ぎりぎりです。それでも読み込みますか？</translation>
    </message>
    <message>
        <source>{name} needs {needed}, more than the {limit} for models; choose a smaller model.</source>
        <translation>{name}は{needed}を使い、モデル用の上限{limit}を超えます。もっと小さなモデルを選んでください。</translation>
    </message>
    <message>
        <source>{name} needs {needed} in {dtype}, too near the {limit} for models. In {smaller} it needs {smaller_needed}.</source>
        <translation>{name}は{dtype}で{needed}を使い、モデル用の上限{limit}に近すぎます。{smaller}なら{smaller_needed}です。</translation>
    </message>
    <message>
        <source>{name} needs {needed} in {dtype}, more than the {limit} for models. In {smaller} it needs {smaller_needed}.</source>
        <translation>{name}は{dtype}で{needed}を使い、モデル用の上限{limit}を超えます。{smaller}なら{smaller_needed}です。</translation>
    </message>
    <message>
        <source>{host} cannot be reached ({detail}); check the network and try again.</source>
        <translation>{host}に接続できません（{detail}）。ネットワークを確認して、もう一度お試しください。</translation>
    </message>
    <message>
        <source>The proxy {proxy} cannot be used ({detail}); check it in Settings.</source>
        <translation>プロキシ{proxy}を使えません（{detail}）。設定で確認してください。</translation>
    </message>
    <message>
        <source>The certificate of {host} is not trusted ({detail}); check the network and the clock.</source>
        <translation>{host}の証明書を信頼できません（{detail}）。ネットワークと時計を確認してください。</translation>
    </message>
    <message>
        <source>{host} answered {status} instead of what was asked for; try again later.</source>
        <translation>{host}が求めたものではなく{status}を返しました。後でもう一度お試しください。</translation>
    </message>
    <message>
        <source>{host} leads to {found}, where no file of a model can be; choose another mirror.</source>
        <translation>{host}がモデルのファイルのない{found}へ転送しました。別のミラーを選んでください。</translation>
    </message>
    <message>
        <source>{host} does not accept the token; enter another one in Settings.</source>
        <translation>{host}がトークンを受け付けません。設定で別のトークンを入力してください。</translation>
    </message>
    <message>
        <source>{owner} asks you to accept its licence first: do so at {url}, then enter your token in Settings.</source>
        <translation>先に{owner}のライセンスに同意する必要があります。{url}で同意し、設定でトークンを入力してください。</translation>
    </message>
    <message>
        <source>{found} is no name of a model; give owner/name or the address of its page.</source>
        <translation>{found}はモデルの名前ではありません。「作者/名前」かページのアドレスを入れてください。</translation>
    </message>
    <message>
        <source>{host} has no model {repo} that you may see; check the name.</source>
        <translation>{host}に、見ることのできるモデル{repo}はありません。名前を確認してください。</translation>
    </message>
    <message>
        <source>{repo} has no revision {found}; leave it out to get the newest.</source>
        <translation>{repo}にリビジョン{found}はありません。指定しなければ最新のものを入手します。</translation>
    </message>
    <message>
        <source>{repo} names the file {found}, which would lie outside its folder; choose another model.</source>
        <translation>{repo}に、フォルダの外に出るファイル名{found}があります。別のモデルを選んでください。</translation>
    </message>
    <message>
        <source>{repo} needs {found} files and at most {expected} are got; choose another model.</source>
        <translation>{repo}には{found}個のファイルが要りますが、入手できるのは{expected}個までです。別のモデルを選んでください。</translation>
    </message>
    <message>
        <source>{file} should have {expected} bytes and {host} sends {found}; try again later.</source>
        <translation>{file}は{expected}バイトのはずですが、{host}は{found}バイトを送ります。後でもう一度お試しください。</translation>
    </message>
    <message>
        <source>{file} failed its check twice and was set aside; try again later.</source>
        <translation>{file}が検証に2回失敗したため、隔離しました。後でもう一度お試しください。</translation>
    </message>
    <message>
        <source>Needs {needed} more disk space in {path}. What is here is kept.</source>
        <translation>{path}のディスクの空きがあと{needed}必要です。取得済みの分は残ります。</translation>
    </message>
    <message>
        <source>The models folder {path} is on a disk that is not connected; connect it or choose another folder.</source>
        <translation>モデルのフォルダ{path}は未接続のディスクにあります。接続するか、別のフォルダを選んでください。</translation>
    </message>
    <message>
        <source>{repo} is being downloaded by another Mamba Chat; wait until that is done.</source>
        <translation>{repo}は別のMamba Chatがダウンロード中です。終わるまでお待ちください。</translation>
    </message>
    <message>
        <source>{path} cannot be moved to the Trash ({detail}); move it there yourself.</source>
        <translation>{path}をゴミ箱に入れられません（{detail}）。ご自分で入れてください。</translation>
    </message>
    <message>
        <source>{name} came with the app and stays with it.</source>
        <translation>{name}はアプリに付属しているので、取り除けません。</translation>
    </message>
    <message>
        <source>{name} is in the Hugging Face cache, which other programs use; remove it with their tools.</source>
        <translation>{name}はほかのプログラムも使うHugging Faceのキャッシュにあります。そちらの道具で取り除いてください。</translation>
    </message>
    <message>
        <source>The token cannot be kept ({detail}); it is used until you quit.</source>
        <translation>トークンを保存できません（{detail}）。終了するまで使われます。</translation>
    </message>
    <message>
        <source>No data came from {host} for {seconds} s, time after time; try again later.</source>
        <translation>{host}から{seconds}秒間データが届かないことが続きました。後でもう一度お試しください。</translation>
    </message>
    <message>
        <source>{host} closed the connection before the end; try again later.</source>
        <translation>{host}が途中で接続を閉じました。後でもう一度お試しください。</translation>
    </message>
    <message>
        <source>{file} changed at {host} while it came; try again.</source>
        <translation>{file}がダウンロード中に{host}で変わりました。もう一度お試しください。</translation>
    </message>
    <message>
        <source>{path} is in the models folder itself; choose a folder elsewhere.</source>
        <translation>{path}はモデルのフォルダの中にあります。別の場所のフォルダを選んでください。</translation>
    </message>
    <message>
        <source>{path} holds {found} models; choose the folder of one.</source>
        <translation>{path}には{found}個のモデルがあります。どれか1つのフォルダを選んでください。</translation>
    </message>
    <message>
        <source>The text has {found} tokens and the model reads at most {expected}; begin a new chat or choose a Mamba.</source>
        <translation>文章は{found}トークンありますが、このモデルが読めるのは{expected}までです。新しいチャットを始めるか、Mambaを選んでください。</translation>
    </message>
    <message>
        <source>Together these models need {needed} in memory, and {limit} are for models. Run them one at a time, or choose fewer.</source>
        <translation>これらのモデルは合わせて{needed}のメモリを使い、モデル用の上限{limit}を超えます。1つずつ実行するか、数を減らしてください。</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>About the model</source>
        <translation>モデルについて</translation>
    </message>
    <message>
        <source>Ready. Everything stays on this Mac.</source>
        <translation>準備ができました。すべてこのMacの中で動きます。</translation>
    </message>
    <message>
        <source>Ready. Everything stays on this computer.</source>
        <translation>準備ができました。すべてこのコンピュータの中で動きます。</translation>
    </message>
    <message>
        <source>Loading {model}</source>
        <translation>{model}を読み込み中</translation>
    </message>
    <message>
        <source>It runs on this Mac.</source>
        <translation>このMacの中で動きます。</translation>
    </message>
    <message>
        <source>It runs on this computer.</source>
        <translation>このコンピュータの中で動きます。</translation>
    </message>
    <message>
        <source>Choose a model to start</source>
        <translation>モデルを選んでください</translation>
    </message>
    <message>
        <source>The list at the top right holds those that are here.</source>
        <translation>右上の一覧に、ここにあるモデルが並んでいます。</translation>
    </message>
    <message>
        <source>The model that came with the app, {model}, is loaded and needs no network. It is tiny: good for small talk and short stories, and often wrong about facts.</source>
        <translation>付属のモデル{model}を読み込みました。ネットワークは要りません。とても小さな英語専用のモデルで、雑談や短い物語は得意ですが、事実はよく間違えます。</translation>
    </message>
    <message>
        <source>{model} is loaded and needs no network.</source>
        <translation>{model}を読み込みました。ネットワークは要りません。</translation>
    </message>
    <message>
        <source>A base model: it continues your text and does not answer questions.</source>
        <translation>ベースモデルです。質問には答えず、文章の続きを書きます。</translation>
    </message>
</context>
<context>
    <name>Fit</name>
    <message>
        <source>fits</source>
        <translation>余裕あり</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>ぎりぎり</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>入りません</translation>
    </message>
</context>
<context>
    <name>GeneralPane</name>
    <message>
        <source>General</source>
        <translation>一般</translation>
    </message>
    <message>
        <source>Appearance:</source>
        <translation>外観：</translation>
    </message>
    <message>
        <source>System</source>
        <translation>システムに合わせる</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>ライト</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>ダーク</translation>
    </message>
    <message>
        <source>Text size:</source>
        <translation>文字の大きさ：</translation>
    </message>
    <message>
        <source>Language:</source>
        <translation>言語：</translation>
    </message>
    <message>
        <source>Another language is used from the next start on.</source>
        <translation>言語の変更は、次に起動したときから有効です。</translation>
    </message>
</context>
<context>
    <name>GenerationPane</name>
    <message>
        <source>Generation</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Restore Defaults</source>
        <translation>標準に戻す</translation>
    </message>
    <message>
        <source>For the next answers, in every chat.</source>
        <translation>どのチャットでも、次の回答から使われます。</translation>
    </message>
</context>
<context>
    <name>JumpButton</name>
    <message>
        <source>Jump to Latest</source>
        <translation>最新へ移動</translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message>
        <source>Installed</source>
        <translation>入手済み</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>検索中…</translation>
    </message>
    <message>
        <source>Nothing on Hugging Face matches “{q}”. Paste owner/name if you know it.</source>
        <translation>「{q}」は見つかりません。分かる場合は「作者/名前」を貼り付けてください。</translation>
    </message>
    <message>
        <source>{model} is here</source>
        <translation>{model}を入手しました</translation>
    </message>
    <message>
        <source>{n} installed, {size}</source>
        <translation>{n}個、{size}</translation>
    </message>
    <message>
        <source>The models folder is on “{disk}”, which is not connected.</source>
        <translation>モデルのフォルダは未接続のディスク「{disk}」にあります。</translation>
    </message>
    <message>
        <source>Checking {size} against its SHA-256</source>
        <translation>{size}をSHA-256で検証中</translation>
    </message>
    <message>
        <source>No network. Downloads go on when it returns.</source>
        <translation>ネットワークに接続していません。つながりしだい再開します。</translation>
    </message>
    <message>
        <source>Asking Hugging Face what there is to get</source>
        <translation>Hugging Faceに問い合わせています</translation>
    </message>
    <message>
        <source>{owner} asks you to accept its licence first.</source>
        <translation>先に{owner}のライセンスに同意する必要があります。</translation>
    </message>
    <message>
        <source>{file} failed its check twice and was set aside</source>
        <translation>{file}が検証に2回失敗したため、隔離しました</translation>
    </message>
    <message>
        <source>Needs {size} more disk space. What is here is kept.</source>
        <translation>ディスクの空きがあと{size}必要です。取得済みの分は残ります。</translation>
    </message>
    <message>
        <source>{share}, {speed}</source>
        <translation>{share}、{speed}</translation>
    </message>
    <message>
        <source>{share}, {speed}, {time} left</source>
        <translation>{share}、{speed}、残り{time}</translation>
    </message>
    <message>
        <source>Paused before it began</source>
        <translation>開始前に一時停止</translation>
    </message>
    <message>
        <source>Paused at {share}</source>
        <translation>{share}で一時停止</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>開始しています</translation>
    </message>
    <message>
        <source>Waiting for {name}</source>
        <translation>{name}の後に開始</translation>
    </message>
    <message>
        <source>No data for {idle}. Trying again in {time} ({attempt} of {attempts})</source>
        <translation>{idle}間データが届いていません。{time}後に再試行（{attempts}回中{attempt}回目）</translation>
    </message>
    <message>
        <source>The connection broke. Trying again in {time} ({attempt} of {attempts})</source>
        <translation>接続が切れました。{time}後に再試行（{attempts}回中{attempt}回目）</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{total}中{done}</translation>
    </message>
    <message>
        <source>{s} s</source>
        <translation>{s}秒</translation>
    </message>
    <message>
        <source>{min} min</source>
        <translation>{min}分</translation>
    </message>
    <message>
        <source>{h} h {min} min</source>
        <translation>{h}時間{min}分</translation>
    </message>
    <message>
        <source>Chat, tiny</source>
        <translation>チャット、極小</translation>
    </message>
    <message>
        <source>comes with the app</source>
        <translation>アプリに付属</translation>
    </message>
    <message>
        <source>See card</source>
        <translation>カードを参照</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>検証中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>ベース</translation>
    </message>
    <message>
        <source>{n} million</source>
        <translation>{n}百万</translation>
    </message>
    <message>
        <source>{n} billion</source>
        <translation>{n}十億</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>For models</source>
        <translation>モデル用</translation>
    </message>
    <message>
        <source>Free on disk</source>
        <translation>ディスクの空き</translation>
    </message>
    <message>
        <source>Used by models</source>
        <translation>モデルの使用量</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>ライセンス</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>パラメータ数</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>ディスク上</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>フォルダ</translation>
    </message>
    <message>
        <source>to be accepted on its page first</source>
        <translation>先にページで同意が必要</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>ダウンロード</translation>
    </message>
    <message>
        <source>Memory in {precision}</source>
        <translation>メモリ（{precision}）</translation>
    </message>
    <message>
        <source>A chat model: it answers what you write.</source>
        <translation>チャットモデルです。書いたことに答えます。</translation>
    </message>
    <message>
        <source>No network</source>
        <translation>未接続</translation>
    </message>
    <message>
        <source>Trying again</source>
        <translation>再試行中</translation>
    </message>
    <message>
        <source>{share}, {time} left</source>
        <translation>{share}、残り{time}</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>{note}, Transformer</source>
        <translation>{note}、Transformer</translation>
    </message>
    <message>
        <source>{size} for each token</source>
        <translation>1トークンごとに{size}</translation>
    </message>
    <message>
        <source>A Transformer, for comparison: its state grows with every token.</source>
        <translation>比較用のTransformerです。状態は1トークンごとに大きくなります。</translation>
    </message>
</context>
<context>
    <name>LibraryPresenter</name>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Import a Model’s Folder</source>
        <translation>モデルのフォルダを読み込む</translation>
    </message>
    <message>
        <source>Moving</source>
        <translation>移動中</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>{n} tokens</source>
        <translation>{n}トークン</translation>
    </message>
</context>
<context>
    <name>MemoryRow</name>
    <message>
        <source>Memory for models:</source>
        <translation>モデル用のメモリ：</translation>
    </message>
    <message>
        <source>Of {memory}. A model that needs more than 90 % of this is not loaded.</source>
        <translation>{memory}のうち。これの90 %を超えるモデルは読み込みません。</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>編集</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>View</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>ヘルプ</translation>
    </message>
    <message>
        <source>New Chat</source>
        <translation>新規チャット</translation>
    </message>
    <message>
        <source>Close Window</source>
        <translation>ウインドウを閉じる</translation>
    </message>
    <message>
        <source>Quit Mamba Chat</source>
        <translation>Mamba Chatを終了</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>取り消す</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直す</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>カット</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>ペースト</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>すべてを選択</translation>
    </message>
    <message>
        <source>Copy Last Answer</source>
        <translation>最後の回答をコピー</translation>
    </message>
    <message>
        <source>Find in Chats</source>
        <translation>チャットを検索</translation>
    </message>
    <message>
        <source>Choose Model</source>
        <translation>モデルを選ぶ</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>再生成</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Rename Chat</source>
        <translation>チャットの名前を変更</translation>
    </message>
    <message>
        <source>Delete Chat</source>
        <translation>チャットを削除</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Show or Hide Sidebar</source>
        <translation>サイドバーを表示／隠す</translation>
    </message>
    <message>
        <source>Zoom In</source>
        <translation>拡大</translation>
    </message>
    <message>
        <source>Zoom Out</source>
        <translation>縮小</translation>
    </message>
    <message>
        <source>Actual Size</source>
        <translation>実際のサイズ</translation>
    </message>
    <message>
        <source>Full Screen</source>
        <translation>フルスクリーン</translation>
    </message>
    <message>
        <source>About Mamba Chat</source>
        <translation>Mamba Chatについて</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>設定…</translation>
    </message>
    <message>
        <source>Find in Models</source>
        <translation>モデルを検索</translation>
    </message>
    <message>
        <source>Compare Models…</source>
        <translation>モデルを比較…</translation>
    </message>
</context>
<context>
    <name>MessageColumn</name>
    <message>
        <source>Messages</source>
        <translation>メッセージ</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Open Page</source>
        <translation>ページを開く</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <source>Cancel Loading</source>
        <translation>読み込みを中止</translation>
    </message>
    <message>
        <source>Loading {model}</source>
        <translation>{model}を読み込み中</translation>
    </message>
    <message>
        <source>Choose a Model</source>
        <translation>モデルを選ぶ</translation>
    </message>
    <message>
        <source>{precision}, {size}</source>
        <translation>{precision}、{size}</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>モデル：{name}</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent}%</translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <source>Load</source>
        <translation>読み込む</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>入手</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>解放</translation>
    </message>
</context>
<context>
    <name>ModelRowView</name>
    <message>
        <source>Load {model}</source>
        <translation>{model}を読み込む</translation>
    </message>
    <message>
        <source>Get {model}</source>
        <translation>{model}を入手</translation>
    </message>
    <message>
        <source>Unload {model}</source>
        <translation>{model}を解放</translation>
    </message>
    <message>
        <source>{size} on disk</source>
        <translation>ディスク上で{size}</translation>
    </message>
    <message>
        <source>needs {size}</source>
        <translation>メモリ{size}</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>読み込み中</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>ModelsBar</name>
    <message>
        <source>Search Hugging Face or paste a name</source>
        <translation>Hugging Faceを検索、名前を貼り付け</translation>
    </message>
    <message>
        <source>Import Folder</source>
        <translation>フォルダを取り込む</translation>
    </message>
</context>
<context>
    <name>ModelsPane</name>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Show Models Folder</source>
        <translation>モデルのフォルダを表示</translation>
    </message>
    <message>
        <source>Models folder:</source>
        <translation>モデルのフォルダ：</translation>
    </message>
    <message>
        <source>Move…</source>
        <translation>移動…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Also use models in the shared Hugging Face cache</source>
        <translation>Hugging Faceの共有キャッシュにあるモデルも使う</translation>
    </message>
    <message>
        <source>At launch, load:</source>
        <translation>起動時に読み込む：</translation>
    </message>
    <message>
        <source>The last model used</source>
        <translation>最後に使ったモデル</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Unload when idle:</source>
        <translation>使わないとき解放：</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>しない</translation>
    </message>
    <message>
        <source>After 10 minutes</source>
        <translation>10分後</translation>
    </message>
    <message>
        <source>After 30 minutes</source>
        <translation>30分後</translation>
    </message>
    <message>
        <source>After 2 hours</source>
        <translation>2時間後</translation>
    </message>
    <message>
        <source>Move the Models to</source>
        <translation>モデルの移動先</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>移動</translation>
    </message>
</context>
<context>
    <name>ModelsSidebar</name>
    <message>
        <source>Sidebar</source>
        <translation>サイドバー</translation>
    </message>
    <message>
        <source>Filter models</source>
        <translation>モデルを絞り込む</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>ダウンロード</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>インストール済み</translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation>カタログ</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>ライブラリ</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>すべてのモデル</translation>
    </message>
    <message>
        <source>Fits this Mac</source>
        <translation>このMacに余裕あり</translation>
    </message>
    <message>
        <source>Fits this computer</source>
        <translation>このコンピュータに余裕あり</translation>
    </message>
    <message>
        <source>Chat models</source>
        <translation>チャットモデル</translation>
    </message>
    <message>
        <source>Base models</source>
        <translation>ベースモデル</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
</context>
<context>
    <name>ModelsTable</name>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>On Hugging Face</source>
        <translation>Hugging Faceの検索結果</translation>
    </message>
    <message>
        <source>Name and parameters</source>
        <translation>名前とパラメータ数</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>ダウンロード</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>インストール済み</translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation>カタログ</translation>
    </message>
</context>
<context>
    <name>ModelsView</name>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Choose Folder…</source>
        <translation>フォルダを選ぶ…</translation>
    </message>
    <message>
        <source>No models match</source>
        <translation>当てはまるモデルはありません</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>NetworkPane</name>
    <message>
        <source>Network</source>
        <translation>ネットワーク</translation>
    </message>
    <message>
        <source>The network is used only for what you search for and download.</source>
        <translation>通信は、検索とダウンロードを頼んだときだけです。</translation>
    </message>
    <message>
        <source>A token is stored</source>
        <translation>トークンは保存済み</translation>
    </message>
    <message>
        <source>Hugging Face token:</source>
        <translation>アクセストークン：</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Proxy:</source>
        <translation>プロキシ：</translation>
    </message>
    <message>
        <source>The system’s</source>
        <translation>システムの設定</translation>
    </message>
    <message>
        <source>Enter a proxy as http://host:port. SOCKS is not supported.</source>
        <translation>プロキシはhttp://host:portの形で入力してください。SOCKSには対応していません。</translation>
    </message>
    <message>
        <source>Mirror:</source>
        <translation>ミラー：</translation>
    </message>
    <message>
        <source>Enter the address of a mirror as https://host.</source>
        <translation>ミラーのアドレスはhttps://hostの形で入力してください。</translation>
    </message>
    <message>
        <source>Speed limit:</source>
        <translation>速度の上限：</translation>
    </message>
    <message>
        <source>At most {n} MB/s</source>
        <translation>最大 {n} MB/秒</translation>
    </message>
    <message>
        <source>Kept in the Keychain.</source>
        <translation>キーチェーンに保存されます。</translation>
    </message>
    <message>
        <source>Kept in the system’s keyring.</source>
        <translation>システムのキーリングに保存されます。</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>Mamba Chat is already open.</source>
        <translation>Mamba Chatはすでに開いています。</translation>
    </message>
    <message>
        <source>Show Report</source>
        <translation>レポートを表示</translation>
    </message>
</context>
<context>
    <name>OptionsPopover</name>
    <message>
        <source>Options</source>
        <translation>オプション</translation>
    </message>
    <message>
        <source>Restore Defaults</source>
        <translation>標準に戻す</translation>
    </message>
</context>
<context>
    <name>PickerList</name>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>絞り込む</translation>
    </message>
    <message>
        <source>frees {size}</source>
        <translation>{size}空きます</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>解放</translation>
    </message>
    <message>
        <source>Get More Models…</source>
        <translation>ほかのモデルを入手…</translation>
    </message>
    <message>
        <source>Chat, {precision}, needs {size}</source>
        <translation>チャット用、{precision}、{size}必要</translation>
    </message>
    <message>
        <source>Base, {precision}, needs {size}</source>
        <translation>ベース、{precision}、{size}必要</translation>
    </message>
    <message>
        <source>Transformer, {precision}, needs {size}</source>
        <translation>Transformer、{precision}、{size}必要</translation>
    </message>
</context>
<context>
    <name>PointChart</name>
    <message>
        <source>{n} {unit}</source>
        <translation>{n}{unit}</translation>
    </message>
</context>
<context>
    <name>PrecisionButton</name>
    <message>
        <source>Precision of {model}: {precision}</source>
        <translation>{model}の精度：{precision}</translation>
    </message>
    <message>
        <source>Also in {precision}</source>
        <translation>{precision}でも比較</translation>
    </message>
</context>
<context>
    <name>PrecisionMenu</name>
    <message>
        <source>As Stored</source>
        <translation>保存されたまま</translation>
    </message>
    <message>
        <source>Keep a Copy in {bits} Bits</source>
        <translation>{bits}ビットのコピーを保存</translation>
    </message>
</context>
<context>
    <name>Presenter</name>
    <message>
        <source>New chat</source>
        <translation>新規チャット</translation>
    </message>
    <message>
        <source>Chat deleted</source>
        <translation>チャットを削除しました</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>取り消す</translation>
    </message>
    <message>
        <source>Choose a Model</source>
        <translation>モデルを選ぶ</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>読み込む</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Load in {precision}</source>
        <translation>{precision}で読み込む</translation>
    </message>
</context>
<context>
    <name>ReadingBar</name>
    <message>
        <source>Reading {done} of {total} tokens</source>
        <translation>{total}トークン中{done}を読み取り中</translation>
    </message>
    <message>
        <source>Read once. Asking again, editing and branching then start at once.</source>
        <translation>読むのは一度だけです。再生成も編集も分岐も、その後はすぐに始まります。</translation>
    </message>
    <message>
        <source>Loading {model}</source>
        <translation>{model}を読み込み中</translation>
    </message>
    <message>
        <source>{seconds} s left</source>
        <translation>残り{seconds}秒</translation>
    </message>
    <message>
        <source>{minutes} min left</source>
        <translation>残り{minutes}分</translation>
    </message>
</context>
<context>
    <name>RowMenu</name>
    <message>
        <source>Show in Finder</source>
        <translation>Finderに表示</translation>
    </message>
    <message>
        <source>Show in Folder</source>
        <translation>フォルダを表示</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>解放</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>読み込む</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>ゴミ箱に入れる</translation>
    </message>
    <message>
        <source>Remove from List</source>
        <translation>リストから外す</translation>
    </message>
</context>
<context>
    <name>RunListView</name>
    <message>
        <source>Comparisons</source>
        <translation>比較</translation>
    </message>
</context>
<context>
    <name>RunRowDelegate</name>
    <message>
        <source>Title of the comparison</source>
        <translation>比較のタイトル</translation>
    </message>
</context>
<context>
    <name>SamplingRows</name>
    <message>
        <source>Answer length:</source>
        <translation>回答の長さ：</translation>
    </message>
    <message>
        <source>Seed:</source>
        <translation>シード：</translation>
    </message>
    <message>
        <source>New for every answer</source>
        <translation>回答ごとに変える</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>常に</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>Temperature:</source>
        <translation>温度：</translation>
    </message>
    <message>
        <source>Top-p:</source>
        <translation>Top-p：</translation>
    </message>
    <message>
        <source>Top-k:</source>
        <translation>Top-k：</translation>
    </message>
    <message>
        <source>Min-p:</source>
        <translation>Min-p：</translation>
    </message>
    <message>
        <source>Repetition penalty:</source>
        <translation>反復ペナルティ：</translation>
    </message>
    <message>
        <source>up to {n} tokens</source>
        <translation>最大{n}トークン</translation>
    </message>
</context>
<context>
    <name>SectionHead</name>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>ライセンス</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>ディスク</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
</context>
<context>
    <name>SettingsTabs</name>
    <message>
        <source>Panes</source>
        <translation>設定の区分</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Sidebar</source>
        <translation>サイドバー</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>No chat contains “{q}”.</source>
        <translation>「{q}」を含むチャットはありません。</translation>
    </message>
    <message>
        <source>Chats appear here once you send a message.</source>
        <translation>メッセージを送ると、ここにチャットが並びます。</translation>
    </message>
</context>
<context>
    <name>SidebarBar</name>
    <message>
        <source>Hide Sidebar</source>
        <translation>サイドバーを隠す</translation>
    </message>
    <message>
        <source>New Chat</source>
        <translation>新規チャット</translation>
    </message>
</context>
<context>
    <name>Sparkline</name>
    <message>
        <source>Milliseconds per token, over the chat</source>
        <translation>チャット全体の、1トークンあたりのミリ秒</translation>
    </message>
</context>
<context>
    <name>Strip</name>
    <message>
        <source>Figures</source>
        <translation>計測値</translation>
    </message>
    <message>
        <source>{value} s</source>
        <translation>{value}秒</translation>
    </message>
    <message>
        <source>tokens/s, reading</source>
        <translation>トークン/秒、読取</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>トークン/秒</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>最初のトークン</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>トークン</translation>
    </message>
    <message>
        <source>state, constant</source>
        <translation>状態（一定）</translation>
    </message>
    <message>
        <source>ms/token, reading</source>
        <translation>ms/トークン、読取</translation>
    </message>
    <message>
        <source>ms/token</source>
        <translation>ms/トークン</translation>
    </message>
    <message>
        <source>state, growing</source>
        <translation>状態（増加）</translation>
    </message>
</context>
<context>
    <name>Toolbar</name>
    <message>
        <source>Toolbar</source>
        <translation>ツールバー</translation>
    </message>
    <message>
        <source>Show Sidebar</source>
        <translation>サイドバーを表示</translation>
    </message>
    <message>
        <source>New Chat</source>
        <translation>新規チャット</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出す</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Answer started</source>
        <translation>回答が始まりました</translation>
    </message>
    <message>
        <source>Answer finished, {n} tokens</source>
        <translation>回答が終わりました、{n}トークン</translation>
    </message>
</context>
<context>
    <name>TrashSheet</name>
    <message>
        <source>Move {model} to the Trash?</source>
        <translation>{model}をゴミ箱に入れますか？</translation>
    </message>
    <message>
        <source>This frees {size}. Its chats stay.</source>
        <translation>{size}空きます。チャットは残ります。</translation>
    </message>
    <message>
        <source>Its chats stay.</source>
        <translation>チャットは残ります。</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>ゴミ箱に入れる</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>UserMessage</name>
    <message>
        <source>Your message</source>
        <translation>あなたのメッセージ</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
</context>
<context>
    <name>ViewSwitch</name>
    <message>
        <source>View</source>
        <translation>表示</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>Nothing sent yet</source>
        <translation>まだ何も送っていません</translation>
    </message>
    <message>
        <source>Waiting for {model}</source>
        <translation>{model}を待っています</translation>
    </message>
    <message>
        <source>Waiting for its turn</source>
        <translation>順番を待っています</translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation>プロンプトを読んでいます</translation>
    </message>
    <message>
        <source>Writing, {count} tokens</source>
        <translation>書いています、{count}トークン</translation>
    </message>
    <message>
        <source>Today {time}</source>
        <translation>今日 {time}</translation>
    </message>
    <message>
        <source>Yesterday {time}</source>
        <translation>昨日 {time}</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>{date} {time}</source>
        <translation>{date} {time}</translation>
    </message>
    <message>
        <source>Write the next message</source>
        <translation>次のメッセージを書いておけます</translation>
    </message>
    <message>
        <source>Choose a model to start</source>
        <translation>モデルを選んでください</translation>
    </message>
    <message>
        <source>Message {model}</source>
        <translation>{model}にメッセージ</translation>
    </message>
    <message>
        <source>{count} tokens in state</source>
        <translation>状態に{count}トークン</translation>
    </message>
    <message>
        <source>{model} is no longer installed. You can read this chat; to go on, choose another model.</source>
        <translation>{model}は削除されています。チャットは読めます。続けるには別のモデルを選んでください。</translation>
    </message>
    <message>
        <source>A base model: it continues your text and does not answer questions.</source>
        <translation>ベースモデルです。質問には答えず、文章の続きを書きます。</translation>
    </message>
    <message>
        <source>{model} has not read this chat yet</source>
        <translation>{model}はまだこのチャットを読んでいません</translation>
    </message>
    <message>
        <source>{model} has not read this chat yet: {count} tokens</source>
        <translation>{model}はまだこのチャットを読んでいません、{count}トークン</translation>
    </message>
    <message>
        <source>The chats could not be read. They are kept in {file}; new ones start afresh.</source>
        <translation>チャットを読み込めませんでした。元のファイルは{file}に残してあります。新しいチャットは最初から始まります。</translation>
    </message>
    <message>
        <source>Moving {done} of {total}</source>
        <translation>移動中：{done} / {total}</translation>
    </message>
</context>
<context>
    <name>_Box</name>
    <message>
        <source>Prompt</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>A prompt for every model</source>
        <translation>すべてのモデルに渡す文</translation>
    </message>
</context>
<context>
    <name>_Facts</name>
    <message>
        <source>This Mac</source>
        <translation>このMac</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>このコンピュータ</translation>
    </message>
</context>
</TS>
