#!/bin/sh
# Makes sure that there is a browser and prints its path on stdout; everything
# else goes to stderr. CHROME_PATH wins; then a Chrome, Chromium, Edge or Brave
# that is found; then Debian's package chromium, when this user may install it.
# Without a browser it says in one line what to do, and fails.
set -eu

fail() {
  echo "browser: $*" >&2
  exit 1
}

# A snap can neither use the host's temporary profiles nor, in most containers,
# start at all; the package of that name on Ubuntu is a stub that leads to it.
is_snap() {
  case $(readlink -f "$1" 2>/dev/null || echo "$1") in
  /snap/* | */snap) return 0 ;;
  esac
  head -c 2 "$1" 2>/dev/null | grep -q '^#!' && grep -qs '/snap/bin/' "$1"
}

candidates() {
  for name in chromium chromium-browser google-chrome google-chrome-stable chrome \
    microsoft-edge microsoft-edge-stable brave-browser; do
    command -v "$name" 2>/dev/null || :
  done
  for folder in /Applications "${HOME:-}/Applications"; do
    for name in "Google Chrome" Chromium "Microsoft Edge" "Brave Browser"; do
      echo "$folder/$name.app/Contents/MacOS/$name"
    done
  done
  for folder in "${PROGRAMFILES:-}" "$(printenv 'ProgramFiles(x86)' 2>/dev/null || :)" "${LOCALAPPDATA:-}"; do
    [ -n "$folder" ] || continue
    for name in Google/Chrome/Application/chrome.exe Chromium/Application/chrome.exe \
      Microsoft/Edge/Application/msedge.exe BraveSoftware/Brave-Browser/Application/brave.exe; do
      echo "$folder/$name"
    done
  done
}

find_browser() {
  candidates | while IFS= read -r path; do
    if [ -f "$path" ] && [ -x "$path" ] && ! is_snap "$path"; then
      printf '%s\n' "$path"
      break
    fi
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo -n "$@"
  fi
}

may_install() {
  command -v apt-get >/dev/null 2>&1 || return 1
  [ "$(id -u)" = 0 ] || sudo -n true >/dev/null 2>&1
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@" </dev/null >&2
}

if [ -n "${CHROME_PATH:-}" ]; then
  path=$(command -v "$CHROME_PATH" 2>/dev/null) ||
    fail "CHROME_PATH names $CHROME_PATH, which is not an executable file: correct it, or unset it to use the browser that is found"
  printf '%s\n' "$path"
  exit 0
fi

path=$(find_browser)
if [ -z "$path" ]; then
  other="install Google Chrome (https://www.google.com/chrome) or another Chromium that is no snap, or set CHROME_PATH to one"
  may_install || fail "no Chrome, Chromium, Edge or Brave found: $other"
  echo "browser: none found, installing the package chromium" >&2
  apt update || echo "browser: apt-get update failed, trying with what is known" >&2
  case $(apt-cache policy chromium 2>/dev/null | sed -n 's/^ *Candidate: *//p') in
  *snap*) fail "this system's package chromium only leads to a snap, which does not work here: $other" ;;
  "" | "(none)") fail "this system has no package chromium: $other" ;;
  esac
  apt install -y --no-install-recommends chromium || fail "apt-get could not install chromium: $other"
  path=$(find_browser)
  [ -n "$path" ] || fail "chromium was installed, but is not on PATH: set CHROME_PATH to it"
fi
printf '%s\n' "$path"
