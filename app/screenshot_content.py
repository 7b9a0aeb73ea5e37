"""The chats that the screenshots show, in the languages of the window; not used by the app."""

from __future__ import annotations

from dataclasses import dataclass

CODE = """class RunningStats:
    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0

    def add(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (x - self.mean)

    def variance(self):
        return self.m2 / (self.n - 1)  # n > 1"""


@dataclass(frozen=True)
class Content:
    """One language's chats. `titles` gives the days since and the title, newest first."""

    titles: tuple[tuple[int, str], ...]
    talk: tuple[tuple[str, str], ...]  # questions and answers of the first chat
    draft: str
    long_title: str
    long_question: str
    long_answer: str
    longest_title: str
    nothing: str  # a search that finds nothing
    compared: str  # the prompt of a comparison


ENGLISH = Content(
    titles=(
        (0, "Running mean in one pass"),
        (0, "Why is my scan slow at 512?"),
        (0, "Haiku for a tape recorder"),
        (1, "Selective scan, explained twice"),
        (1, "Release notes, first draft"),
        (1, "Regex for ISO dates"),
        (3, "Two days in Kyoto"),
        (4, "Names for a lighthouse"),
        (5, "Is 4-bit good enough for code?"),
        (6, "Letter to the landlord"),
        (40, "Kalman filter by hand"),
        (41, "Names for a green snake"),
    ),
    talk=(
        (
            "Write a Python class for a running mean and variance that keeps a constant amount "
            "of state.",
            "Welford’s method does it: three numbers, however long the stream is.\n\n"
            f"```python\n{CODE}\n```\n\n"
            "Each value is seen once and forgotten, so memory is the same from first to last.",
        ),
        (
            "Does it stay accurate after ten million values?",
            "Yes. It never subtracts two large sums, which is where the textbook formula loses "
            "digits. In `float64` the error stays near one part in a trillion.",
        ),
    ),
    draft="How would I merge two of these?",
    long_title="Galileo’s notebooks",
    long_question="List what was seen on each night, in date order.",
    long_answer=(
        "The observations of January 1610, night by night:\n\n"
        "**7 January.** Three small stars close to Jupiter, two east of it and one west. He "
        "takes them for fixed stars.\n\n"
        "**8 January.** All three now stand to the west, in a straight line. He wonders whether "
        "Jupiter has moved the wrong way.\n\n"
        "**9 January.** Cloud. Nothing seen.\n\n"
        "**10 January.** Two stars, both to the east. The third, he supposes, is hidden behind "
        "the planet.\n\n"
        "**11 January.** Two again, one about twice the size of the other. He concludes that "
        "they wander about Jupiter as Venus and Mercury do about the Sun.\n\n"
        "**12 January.** A third appears while he watches, in the third hour of the night.\n\n"
        "**13 January.** Four stars for the first time: three west, one east.\n\n"
        "**15 January.** All four to the west, in a line, the spaces between them growing with "
        "distance from the planet.\n\n"
        "Two things follow from the entries taken together. The stars keep to one line through "
        "the planet, and none is ever seen far from it, so they cannot belong to the fixed sky."
    ),
    longest_title="A conversation whose title is far too long for any sidebar that there ever was",
    nothing="zeppelin",
    compared="In 1610 Galileo pointed his telescope at Jupiter and saw",
)

JAPANESE = Content(
    titles=(
        (0, "一度の走査で平均と分散"),
        (0, "走査カーネルが512で遅い理由"),
        (0, "テープレコーダーの俳句"),
        (1, "選択的走査を二通りで説明"),
        (1, "リリースノートを英訳"),
        (1, "ISO日付の正規表現"),
        (3, "京都で過ごす二日間"),
        (4, "灯台の名前"),
        (5, "4ビットはコードに十分か"),
        (6, "大家さんへの手紙"),
        (40, "カルマンフィルタを手で解く"),
        (41, "緑のヘビの名前"),
    ),
    talk=(
        (
            "状態の量を一定に保ったまま、平均と分散を逐次計算するPythonのクラスを書いてください。",
            "ウェルフォードの方法が使えます。データがどれだけ長くても、覚えておく数は三つだけです。"
            f"\n\n```python\n{CODE}\n```\n\n"
            "値は一度見たら忘れてよいので、使うメモリは最初から最後まで変わりません。",
        ),
        (
            "値が一千万個になっても精度は保たれますか。",
            "はい。大きな和どうしの引き算をしないので、教科書の式のような桁落ちが起こりません。"
            "`float64`なら、相対誤差は1兆分の1ほどにとどまります。",
        ),
    ),
    draft="二つの結果はどうやって合わせますか",
    long_title="ガリレオの観測記録",
    long_question="夜ごとに見えたものを、日付の順に並べてください。",
    long_answer=(
        "1610年1月の観測を、夜ごとに並べます。\n\n"
        "**1月7日。** 木星の近くに小さな星が三つ、東に二つ、西に一つ。恒星だと考えます。\n\n"
        "**1月8日。** 三つとも西側に、一直線に並びました。木星が逆に動いたのかと疑います。\n\n"
        "**1月9日。** 曇り。何も見えません。\n\n"
        "**1月10日。** 東に二つ。三つめは惑星の陰に隠れたのだろうと書いています。\n\n"
        "**1月11日。** また二つ。金星や水星が太陽をめぐるように、木星をめぐる星だと結論します。\n\n"
        "**1月12日。** 観測の途中、夜の第三時に三つめが現れました。\n\n"
        "**1月13日。** はじめて四つ。西に三つ、東に一つ。\n\n"
        "記録を合わせると、星はいつも惑星を通る一本の線の上にあり、遠くに離れることがありません。"
    ),
    longest_title="どんなサイドバーにも収まりきらないほど長い題名をもつ会話がここにあります",
    nothing="飛行船",
    compared="1610年、ガリレオは望遠鏡を木星に向けて",
)
