#!/usr/bin/env python3
"""Asks an avatar something and prints what it answers. Uses `requests` where it is installed, else the standard library."""
import json
import os
import sys
import time
import uuid

URL = os.environ.get("AVATARS_URL", "http://localhost:4000")
KEY = os.environ["AVATARS_KEY"]

try:
    import requests

    def call(method, path, body=None, headers=None):
        headers = {"Authorization": f"Bearer {KEY}", **(headers or {})}
        answer = requests.request(method, URL + path, json=body, headers=headers, timeout=60)
        return answer.status_code, answer.json()

except ImportError:
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    def call(method, path, body=None, headers=None):
        headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **(headers or {})}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(URL + path, data, headers, method=method), timeout=60) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            return error.code, json.load(error)


def api(method, path, body=None, **headers):
    status, answer = call(method, path, body, headers)
    if status == 402:
        raise SystemExit(f"{answer['requiredCredits']} credits needed, {answer['availableCredits']} left")
    if status >= 400:
        raise SystemExit(f"{status} {answer['code']}: {answer['error']}")
    return answer


def main(question):
    avatar = api("POST", "/avatars", {"displayName": "Nova", "personalityPrompt": "You are a baker."})["avatar"]
    conversation = api("POST", "/conversations", {key: avatar[key] for key in ("avatarId", "avatarOwnerUserId")})
    turn = {"userText": question, "output": "text"}
    # With a key a turn may be sent again after a lost answer, and is answered and charged once.
    api("POST", f"/conversations/{conversation['conversationId']}/turn", turn, **{"Idempotency-Key": str(uuid.uuid4())})
    while True:
        turns = api("GET", f"/conversations/by-slug/{conversation['shareSlug']}")["turns"]
        if all(turn["status"] != "pending" for turn in turns):
            break
        time.sleep(2)
    print("\n".join(turn["avatarText"] for turn in turns if turn["role"] == "avatar"))


main(" ".join(sys.argv[1:]) or "Who are you?")
