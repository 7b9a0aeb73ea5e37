#!/usr/bin/env bash
# Builds "Mamba Chat.app" on a Mac with Apple silicon, checks it, and packs it as a zip and a DMG:
#   packaging/build_app.sh [FOLDER]      (else build/release)
# Signed ad hoc, or with CODESIGN_IDENTITY="Developer ID Application: …"; notarised too where
# NOTARY_PROFILE names the credentials that `xcrun notarytool store-credentials` keeps.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:-build/release}
floor=$(sed -n 's/^MINIMUM_MACOS = "\([0-9.]*\)".*/\1/p' packaging/plist.py)
python=.venv/bin/python
app="$out/Mamba Chat.app"

[[ $(uname -sm) == "Darwin arm64" ]] || {
  echo "The app is built on a Mac with Apple silicon; this is $(uname -sm)." >&2
  exit 2
}
[[ -z ${NOTARY_PROFILE:-} || -n ${CODESIGN_IDENTITY:-} ]] || {
  echo "Only an app signed with a Developer ID can be notarised: set CODESIGN_IDENTITY." >&2
  exit 2
}

# pip takes MLX for this machine's own macOS, which an older system could not load.
environment() {
  make .venv/.installed
  local wheels
  wheels=$(mktemp -d)
  "$python" -m pip download --quiet --no-deps --only-binary=:all: \
    --platform "macosx_${floor/./_}_arm64" --python-version 3.12 -d "$wheels" \
    "$(grep '^mlx==' constraints.txt)" "$(grep '^mlx-metal==' constraints.txt)"
  "$python" -m pip install --quiet --no-deps --force-reinstall "$wheels"/*.whl
  "$python" -m pip install --quiet -c constraints.txt xattr
  rm -r "$wheels"
}

build() {
  rm -rf "$out"
  mkdir -p "$out"
  MACOSX_DEPLOYMENT_TARGET=$floor \
    PYINSTALLER_STRICT_BUNDLE_CODESIGN_ERROR=1 PYINSTALLER_VERIFY_BUNDLE_SIGNATURE=1 \
    "$python" -m PyInstaller --noconfirm --clean --log-level WARN \
    --distpath "$out" --workpath build/pyinstaller packaging/mamba-chat.spec
  rm -r "${out:?}/mamba-chat" # the folder that the app was made of
}

verify() {
  plutil -lint -s "$app/Contents/Info.plist"
  codesign --verify --deep --strict "$app"
  "$python" packaging/verify_bundle.py "$app"
}

# Moved, with no environment and the checkout's out of the way: neither may be what makes it work.
smoke_test() {
  local place
  place="$(mktemp -d)/a b"
  mkdir "$place"
  ditto "$app" "$place/Mamba Chat.app"
  mv .venv .venv.off
  trap 'mv .venv.off .venv' EXIT
  for platform in offscreen cocoa; do
    (cd / && env -i HOME="$HOME" TMPDIR="$TMPDIR" QT_QPA_PLATFORM=$platform \
      "$place/Mamba Chat.app/Contents/MacOS/mamba-chat" --smoke-test)
  done
  mv .venv.off .venv
  trap - EXIT
  rm -r "$place"
}

notarise() {
  local zip
  zip="$(mktemp -d)/app.zip"
  ditto -c -k --keepParent "$app" "$zip"
  xcrun notarytool submit "$zip" --keychain-profile "$NOTARY_PROFILE" --wait
  xcrun stapler staple "$app"
  spctl --assess --type execute --verbose "$app"
}

pack() {
  local name version staging
  version=$("$python" -c "import engine; print(engine.__version__)")
  name="Mamba-Chat-$version-macos-arm64"
  (cd "$out" && zip -qry "$name.zip" "Mamba Chat.app") # with its links, as any unpacker keeps them
  staging=$(mktemp -d)
  ditto "$app" "$staging/Mamba Chat.app"
  ln -s /Applications "$staging/Applications"
  for _ in 1 2 3 4 5; do # "Resource busy", while Spotlight looks at it
    hdiutil create -quiet -volname "Mamba Chat" -srcfolder "$staging" -ov -format UDZO \
      "$out/$name.dmg" && break
    sleep 5
  done
  [[ -f "$out/$name.dmg" ]]
  rm -r "$staging"
  (cd "$out" && shasum -a 256 "$name.zip" "$name.dmg" >SHA256SUMS)
}

environment
build
verify
smoke_test
if [[ -n ${NOTARY_PROFILE:-} ]]; then notarise; fi
pack
echo "In $out:"
ls -l "$out"
