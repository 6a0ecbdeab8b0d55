#!/usr/bin/env bash
# A conversation in four requests, with curl; python3 reads the answers.
set -euo pipefail
url=${AVATARS_URL:-http://localhost:4000}
key=${AVATARS_KEY:?an API key, as npm start prints one}

post() { # path, body
  curl -sS --fail-with-body -X POST "$url$1" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' -d "$2"
}
field() { # of the JSON on stdin, e.g. avatar.avatarId
  python3 -c 'import functools, json, sys; print(functools.reduce(lambda o, k: o[int(k) if k.lstrip("-").isdigit() else k], sys.argv[1].split("."), json.load(sys.stdin)))' "$1"
}

avatar=$(post /avatars '{"displayName": "Nova", "personalityPrompt": "You are a baker. You love rye bread."}')
ids=$(printf '{"avatarId": "%s", "avatarOwnerUserId": "%s"}' \
  "$(field avatar.avatarId <<<"$avatar")" "$(field avatar.avatarOwnerUserId <<<"$avatar")")
conversation=$(post /conversations "$ids")
slug=$(field shareSlug <<<"$conversation")
echo "Watch it: $(field liveUrl <<<"$conversation")"

post "/conversations/$slug/turn" '{"userText": "What do you bake today?", "output": "text"}' >/dev/null

# Text takes a few seconds; every two of them is often enough.
while :; do
  turns=$(curl -sS --fail-with-body "$url/conversations/by-slug/$slug" -H "Authorization: Bearer $key")
  [ "$(field turns.-1.status <<<"$turns")" = pending ] || break
  sleep 2
done
field turns.-1.avatarText <<<"$turns"
