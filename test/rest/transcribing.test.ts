/** Speech, written down: by REST as a form, by GraphQL in base64; what is no recording is refused by its name. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { flacOf, tone, wavOf } from '../support/sound-files.ts';
import { openTranscriptionServer, type TranscriptionServer } from '../support/transcription-server.ts';

const SHAPE = { rate: 48_000, channels: 2, bits: 16 };
const KEY = 'sk-nobody-sees-this';

let t: TestApp;
let server: TranscriptionServer;
let ada: TestUser;

beforeAll(async () => {
  server = await openTranscriptionServer();
  const env = { TRANSCRIPTION_BASE_URL: server.url, TRANSCRIPTION_MODEL: 'whisper', TRANSCRIPTION_API_KEY: KEY };
  t = await openTestApp({ engines: 'real', env });
  ada = await t.person('Ada');
});
afterEach(() => {
  server.requests.length = 0;
  server.broken = undefined;
});
afterAll(async () => {
  await t?.close();
  await server?.close();
});

async function send(form: FormData | string, { as, type }: { as?: string; type?: string } = {}) {
  const answer = await fetch(`${t.url}/transcriptions`, {
    method: 'POST',
    headers: {
      ...(as === '' ? {} : { authorization: `Bearer ${as ?? ada.apiKey}` }),
      ...(type ? { 'content-type': type } : {}),
    },
    body: form,
  });
  const challenge = answer.headers.get('www-authenticate');
  return { status: answer.status, body: (await answer.json()) as any, ...(challenge ? { challenge } : {}) };
}

function formOf(bytes: Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('audio', new Blob([Uint8Array.from(bytes)], { type: 'audio/webm' }), 'speech.webm');
  return form;
}

async function transcribe(input: Record<string, unknown>) {
  const query = 'mutation($input: TranscribeInput!) { transcribe(input: $input) { text seconds } }';
  const { body } = await t.graphql<any>(query, { input }, ada.session);
  return body.data?.transcribe ?? body.errors![0];
}

describe('a recording', () => {
  test('is sent on as plain mono sound, with the language, and its words come back', async () => {
    server.text = '  What is your name?\n';
    const sound = tone(SHAPE.rate, 1.5);
    for (const bytes of [wavOf(sound, SHAPE), flacOf(sound, SHAPE)]) {
      expect(await send(formOf(bytes, { language: 'de' }))).toEqual({
        status: 200,
        body: { text: 'What is your name?', seconds: 1.5 },
      });
      const [sent] = server.requests.splice(0);
      expect(sent).toMatchObject({
        path: '/v1/audio/transcriptions',
        key: `Bearer ${KEY}`,
        fields: { model: 'whisper', language: 'de', response_format: 'json' },
        type: 'audio/wav',
      });
      expect(Buffer.from(sent!.file.subarray(0, 4)).toString()).toBe('RIFF');
      expect(sent!.file.length).toBe(44 + sound.length * 2);
    }
  });

  test('comes by GraphQL in base64, and nothing said is no words', async () => {
    server.text = '';
    const audio = Buffer.from(wavOf(tone(8_000, 1), { rate: 8_000, channels: 1, bits: 16 })).toString('base64');
    expect(await transcribe({ audio })).toEqual({ text: '', seconds: 1 });
    expect(server.requests[0]?.fields).not.toHaveProperty('language');
    expect((await transcribe({ audio: 'ä' })).message).toBe('audio must be base64.');
    expect((await transcribe({ audio, language: 'Klingon, please' })).extensions.field).toBe('language');
  });

  test('that is none, is empty, too long or too large is refused by its name, and no model is called', async () => {
    const minute = wavOf(tone(8_000, 121), { rate: 8_000, channels: 1, bits: 16 });
    const refusals: [string, FormData, number, RegExp][] = [
      ['no recording', formOf(Buffer.from('These are words.')), 400, /^audio /],
      [
        'damaged',
        formOf(flacOf(tone(8_000, 1), { rate: 8_000, channels: 1, bits: 16 }).subarray(0, 60)),
        400,
        /^audio /,
      ],
      ['empty', formOf(new Uint8Array()), 400, /^audio is empty/],
      ['too long', formOf(minute), 400, /^audio .*120/],
      ['too large', formOf(new Uint8Array(26 * 1024 * 1024)), 413, /too large/],
      ['another field', new FormData(), 400, /^file is not a known field; known here: audio, language/],
    ];
    refusals.at(-1)![1].set('file', 'words');
    for (const [name, form, status, sentence] of refusals) {
      const answer = await send(form);
      expect([name, answer.status, answer.body.error]).toEqual([name, status, expect.stringMatching(sentence)]);
    }
    expect(server.requests).toEqual([]);
  });

  test('in a form that is none is a 400, and without a credential a 401', async () => {
    const cut = '--x\r\ncontent-disposition: form-data; name="audio"; filename="a"\r\n\r\nabc';
    const type = 'multipart/form-data; boundary=x';
    for (const [body, contentType] of [
      [cut, type],
      ['nothing', type],
      [cut, 'multipart/form-data'],
      ['{}', 'application/json'],
    ] as const) {
      const answer = await send(body, { type: contentType });
      expect([body, contentType, answer.status]).toEqual([body, contentType, 400]);
    }
    expect(await send(formOf(new Uint8Array(8)), { as: '' })).toMatchObject({ status: 401, challenge: 'Bearer' });
  });
});

describe('a transcription service', () => {
  test('that fails is a 502 without its words or our key', async () => {
    const bytes = wavOf(tone(8_000, 1), { rate: 8_000, channels: 1, bits: 16 });
    for (const broken of [
      { status: 400, body: `{"error":"bad ${KEY}"}` },
      { status: 200, body: 'a page' },
    ]) {
      server.broken = broken;
      const { status, body } = await send(formOf(bytes));
      expect([status, body.error]).toEqual([502, 'The transcription service failed.']);
      expect(JSON.stringify(body)).not.toContain(KEY);
    }
  });

  test('that is not set up is a 503 that says so', async () => {
    const deaf = await openTestApp();
    const person = await deaf.person('Bob');
    const can = '{ canTranscribe }';
    expect((await deaf.graphql<any>(can)).body.data.canTranscribe).toBe(false);
    expect((await t.graphql<any>(can)).body.data.canTranscribe).toBe(true);
    const answer = await fetch(`${deaf.url}/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.apiKey}` },
      body: formOf(new Uint8Array(8)),
    });
    expect([answer.status, ((await answer.json()) as any).error]).toEqual([
      503,
      expect.stringContaining('TRANSCRIPTION_MODEL'),
    ]);
    await deaf.close();
  });
});
