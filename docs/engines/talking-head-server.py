"""A talking-head server for TALKING_HEAD_URL, in front of a model's own command (docs/engines/talking-head.md).

    pip install flask
    git clone https://github.com/OpenTalker/SadTalker   # and its checkpoints, as its README says
    SADTALKER=./SadTalker TALKING_HEAD_KEY=secret python talking-head-server.py

Then TALKING_HEAD_URL=http://this-machine:8200/heads and TALKING_HEAD_API_KEY=secret. One video at a time; jobs are
kept in memory, so that a restart of this server forgets them, and the platform asks anew.
"""

import hmac
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import uuid
from pathlib import Path

from flask import Flask, abort, jsonify, request, send_file

MODEL = Path(os.environ.get("SADTALKER", "SadTalker")).resolve()
KEY = os.environ.get("TALKING_HEAD_KEY", "")
LONGEST_S = 1500
KEPT = 100

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 64 * 1024 * 1024
waiting: "queue.Queue[str]" = queue.Queue()
jobs: "dict[str, dict]" = {}
lock = threading.Lock()


def command(image: Path, audio: Path, result: Path) -> "list[str]":
    """Another model: another command, which leaves one mp4 below `result`."""
    script = str(MODEL / "inference.py")
    given = ["--source_image", str(image), "--driven_audio", str(audio), "--result_dir", str(result)]
    return [sys.executable, script, *given, "--still", "--preprocess", "full"]


def work() -> None:
    while True:
        name = waiting.get()
        job = jobs.get(name)
        if job is None:
            continue
        folder = job["folder"]
        result = folder / "result"
        result.mkdir()
        try:
            with lock:
                if name not in jobs:
                    continue
                job["process"] = subprocess.Popen(command(job["image"], folder / "audio.wav", result), cwd=MODEL)
            code = job["process"].wait(timeout=LONGEST_S)
            videos = sorted(result.rglob("*.mp4"), key=lambda file: file.stat().st_mtime)
            job["video"] = videos[-1] if code == 0 and videos else None
        except subprocess.TimeoutExpired:
            job["process"].kill()
            job["process"].wait()
        finally:
            job["done"] = True


def forget(name: str) -> None:
    with lock:
        job = jobs.pop(name, None)
        process = job and job.get("process")
    if process and process.poll() is None:
        process.kill()
        process.wait()
    if job:
        shutil.rmtree(job["folder"], ignore_errors=True)


@app.before_request
def check() -> None:
    if KEY and not hmac.compare_digest(request.headers.get("Authorization", ""), f"Bearer {KEY}"):
        abort(401)


@app.post("/heads")
def take():
    key = request.headers.get("Idempotency-Key", "")
    known = next((name for name, job in jobs.items() if key and job["key"] == key), None)
    if known:
        return jsonify(job=f"/jobs/{known}"), 202
    image, audio = request.files.get("image"), request.files.get("audio")
    if image is None or audio is None:
        return jsonify(error="image and audio are required"), 400
    while len(jobs) >= KEPT and next(iter(jobs.values())).get("done"):
        forget(next(iter(jobs)))
    if len(jobs) >= KEPT:
        return jsonify(error="busy"), 503, {"Retry-After": "30"}
    name, folder = uuid.uuid4().hex, Path(tempfile.mkdtemp(prefix="head-"))
    ending = {"image/png": ".png", "image/webp": ".webp"}.get(image.mimetype, ".jpg")
    image.save(folder / f"image{ending}")
    audio.save(folder / "audio.wav")
    jobs[name] = {"key": key, "folder": folder, "image": folder / f"image{ending}", "done": False, "video": None}
    waiting.put(name)
    return jsonify(job=f"/jobs/{name}"), 202


@app.get("/jobs/<name>")
def look(name: str):
    job = jobs.get(name)
    if job is None:
        abort(404)
    if not job["done"]:
        return jsonify(status="working"), 202
    if job["video"] is None:
        return jsonify(error="the model made no video"), 500
    return send_file(job["video"], mimetype="video/mp4")


@app.delete("/jobs/<name>")
def cancel(name: str):
    forget(name)
    return "", 204


if __name__ == "__main__":
    threading.Thread(target=work, daemon=True).start()
    app.run(host=os.environ.get("HOST", "127.0.0.1"), port=int(os.environ.get("PORT", "8200")), threaded=True)
