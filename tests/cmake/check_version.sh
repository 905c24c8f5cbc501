#!/bin/sh
# The version comes from the newest tag of tkc's own repository, else from CMakeLists.txt.
#   check_version.sh SOURCE_ROOT FOLDER
set -eu
module=$(cd "$1" && pwd)/cmake/Version.cmake
rm -rf "$2"
mkdir -p "$2/own" "$2/none"
cd "$2"
command -v git >/dev/null || { echo "git is not here"; exit 77; }
GIT_CEILING_DIRECTORIES=$PWD GIT_CONFIG_GLOBAL=/dev/null
export GIT_CEILING_DIRECTORIES GIT_CONFIG_GLOBAL
printf 'include(%s)\ntkc_find_version(found ${ROOT} 0.0.9)\nfile(WRITE found "${found}")\n' "$module" >ask.cmake
expect() { # WHAT PATTERN FOLDER
    cmake "-DROOT=$PWD/$3" -P ask.cmake
    grep -qxE "$2" found || { echo "$1: $(cat found), not $2"; exit 1; }
}
commit() {
    git -C own -c user.name=t -c user.email=t@t commit -q --allow-empty -m "$1"
}
expect "no repository" '0\.0\.9' none
git init -q own
commit one
expect "no tag" '0\.0\.9' own
git -C own tag v1.2.3
expect "a tag" '1\.2\.3' own
git -C own tag nightly
mkdir own/inside
expect "another project's repository" '0\.0\.9' own/inside
commit two
git -C own tag other
expect "a commit later" '1\.2\.3-1-g[0-9a-f]{7,}' own
echo "versions come from tags"
