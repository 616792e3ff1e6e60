#!/bin/sh
# Asks the server three questions over HTTP, and a wrong one.
#
#   ask.sh [URL]
url=${1:-http://127.0.0.1:8080}
ask() {
  curl -s --noproxy '*' -w '%{http_code}\n' -H 'Content-Type: application/json' "$url/v1/ask" -d "$1"
}
ask '{"linearize":{"layout":"f32[3,5]{1,0:T(2,2)}","indices":[2,3]}}'
ask '{"padding":{"layout":"f32[3,5]{1,0:T(2,2)}"}}'
ask '{"compare":{"from":"f32[3,5]{1,0}","to":"f32[3,5]{1,0:T(2,2)}"}}'
ask '{"parse":{"text":"f32[2,"}}'
