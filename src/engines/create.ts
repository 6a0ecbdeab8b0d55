/** Chooses the engines of this process from its configuration: the embedded ones, or local models or remote ones in their place. */
import { pino } from 'pino';
import type { Config } from '../kernel/config.ts';
import { ConfigError } from '../kernel/config.ts';
import type { Log } from '../kernel/log.ts';
import type { RemoteCalls } from '../kernel/remote-calls.ts';
import type { Decoders } from './decoders/index.ts';
import { createResponder } from './embedded/chat/responder.ts';
import { createCodec } from './embedded/codec/index.ts';
import { createFaceDetector } from './embedded/faces/index.ts';
import { createIllustrator } from './embedded/renderer/illustrator/index.ts';
import { createTalkingHead } from './embedded/renderer/talking-head/index.ts';
import { createVideoEngine } from './embedded/renderer/video/index.ts';
import { createEmbeddedSpeech, type EmbeddedSpeech } from './embedded/speech/index.ts';
import { chooseLocal } from './local/configured-models.ts';
import { createNoopEngines } from './noop/index.ts';
import type {
  Engines,
  LanguageModelV4,
  MediaCodec,
  RemoteTalkingHeadQuery,
  SpeechEngine,
  TalkingHeadEngine,
  VoicePreset,
} from './ports/index.ts';
import { createOpenAiCompatibleChat } from './remote/chat.ts';
import {
  chooseImages,
  chooseTalkingHead,
  chooseTranscription,
  chooseVideo,
  type Download,
} from './remote/configured-models.ts';
import { chooseEmbeddings } from './remote/embeddings.ts';
import { addressOf, guardedChat, guardedSpeech } from './remote/guarded.ts';
import { createOpenAiCompatibleSpeech } from './remote/openai-speech.ts';
import { createRemoteSpeech, phonemiseWith } from './remote/speech.ts';

/** Before a chat server's first word and between two. */
const LONGEST_SILENCE_MS = 60_000;

/** Engines with their threads. */
export interface RunningEngines extends Engines {
  /** Ends every thread. */
  close(): Promise<void>;
}

/**
 * @param download fetches what a provider made, without being led into our own network. @param decoders stay the
 * caller's to close. @param calls guards what is remote. @param log has what an engine goes on without. Throws ConfigError.
 */
export async function createEngines(
  config: Config,
  {
    download,
    decoders,
    calls,
    log = pino({ level: 'silent' }),
  }: { download: Download; decoders: Decoders; calls: RemoteCalls; log?: Pick<Log, 'warn'> },
): Promise<RunningEngines> {
  const local = chooseLocal(config);
  const embedding = local.embedding ? { embedding: local.embedding } : await chooseEmbeddings(config, calls);
  const heard = local.transcription ?? (await chooseTranscription(config, calls));
  const transcription = heard ? { transcription: heard } : {};
  if (config.ENGINES === 'noop') {
    return { ...createNoopEngines(), ...embedding, ...transcription, close: () => local.close() };
  }
  const embeddedVideo = createVideoEngine({ decoders });
  const codec = createCodec({ decoders });
  // Before any thread starts: a wrong name of a model stops the start.
  const images = await chooseImages(config, decoders, calls);
  const video = await chooseVideo(config, { embedded: embeddedVideo, codec, download, calls });
  const faces = createFaceDetector();
  const talkingHead = createTalkingHead({
    detect: faces.detect,
    lipsApart: faces.lipsApart,
    onDetectFailed: (error) => log.warn({ err: error }, 'face detector failed'),
    onFitFailed: (error) => log.warn({ err: error }, 'face not fitted'),
    size: config.TALKING_HEAD_SIZE,
  });
  const remoteTalkingHead = chooseTalkingHead(config, {
    silent: (query) => silentVideo(talkingHead, codec, query),
    conform: (query, made) => embeddedVideo.conform(query, made),
    download,
    calls,
  });
  const voices = createEmbeddedSpeech();
  const illustrator = createIllustrator();
  return {
    chat: local.chat ?? chooseChat(config, calls),
    chatIsEmbedded: !local.chat && !config.CHAT_BASE_URL,
    ...embedding,
    ...transcription,
    speech: local.speech?.(voices) ?? chooseSpeech(config, { embedded: voices, codec, calls }),
    talkingHead,
    ...(remoteTalkingHead ? { remoteTalkingHead } : {}),
    codec,
    image: images ?? ((model) => illustrator.model(model)),
    portrait: illustrator.model('default'),
    video: video ?? embeddedVideo,
    close: async () => {
      const parts = [local, voices, codec, talkingHead, faces, illustrator, embeddedVideo];
      await Promise.all(parts.map((part) => part.close()));
    },
  };
}

/** A face that listens for as long as something is said. */
async function silentVideo(
  engine: Pick<TalkingHeadEngine, 'render'>,
  codec: Pick<MediaCodec, 'faststart'>,
  { image, rig, pcm, rate, signal }: RemoteTalkingHeadQuery,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const query = { image, ...(rig ? { rig } : {}), pcm: new Int16Array(pcm.length), rate, marks: [] };
  for await (const piece of engine.render({ ...query, ...(signal ? { signal } : {}) })) pieces.push(piece);
  return codec.faststart(Buffer.concat(pieces));
}

function chooseChat(config: Config, calls: RemoteCalls): LanguageModelV4 {
  const { CHAT_BASE_URL: baseUrl, CHAT_API_KEY: apiKey, CHAT_MODEL: model } = config;
  if (!baseUrl) return createResponder();
  if (!model) throw new ConfigError('CHAT_MODEL must be set when CHAT_BASE_URL is.');
  const silenceMs = Math.min(LONGEST_SILENCE_MS, calls.longestMs('chat'));
  const chat = createOpenAiCompatibleChat({ baseUrl, apiKey, model, silenceMs });
  return guardedChat(chat, calls, addressOf('chat', baseUrl, model));
}

/** The embedded engine stays beside a remote voice: it computes when each word and mouth shape of the text comes. */
function chooseSpeech(
  config: Config,
  { embedded, codec, calls }: { embedded: EmbeddedSpeech; codec: MediaCodec; calls: RemoteCalls },
): SpeechEngine {
  const { SPEECH_BASE_URL: baseUrl, SPEECH_API_KEY: apiKey, SPEECH_MODEL: model } = config;
  if (!baseUrl) return embedded;
  if (!model) throw new ConfigError('SPEECH_MODEL must be set when SPEECH_BASE_URL is.');
  const voices = config.SPEECH_VOICES.map(readVoice);
  if (voices.length === 0)
    throw new ConfigError('SPEECH_VOICES must name at least one voice when SPEECH_BASE_URL is set.');
  const timeoutMs = calls.longestMs('speech');
  const speech = createOpenAiCompatibleSpeech({ baseUrl, model, timeoutMs, ...(apiKey ? { apiKey } : {}) });
  return createRemoteSpeech({
    model: guardedSpeech(speech, calls, addressOf('speech', baseUrl, model)),
    voices,
    phonemise: phonemiseWith(embedded),
    decode: (bytes) => codec.decodeAudio(bytes, { field: 'speech' }),
  });
}

/** `id`, `id|name` or `id|name|language`. */
function readVoice(text: string): VoicePreset {
  const [id = '', name = id, language = 'en'] = text.split('|').map((part) => part.trim());
  return { id, name, language };
}
