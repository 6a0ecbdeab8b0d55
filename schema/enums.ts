/**
 * The closed sets of the API as enumerations, each value in the spelling of the documentation. Sets whose values GraphQL
 * has no names for (`16:9`, `720p`, `avatars:read`) are scalars (`scalars.ts`), whose descriptions name the values.
 */
import { type GraphQLEnumType, GraphQLError } from 'graphql';
import { registerEnumType } from 'type-graphql';
import type { JobKind } from '../src/kernel/job-kinds.ts';
import type { LedgerKind, UsageKind } from '../src/kernel/ledger-kinds.ts';
import type {
  ImageModelId,
  SpeakOutput,
  TextMode,
  TurnMode,
  TurnOutput,
  VideoModel,
  Visibility,
} from '../src/kernel/media-options.ts';

type Closed<Value extends string> = { readonly [Each in Value]: Each };

/** An enumeration of these values, each with what it means. */
export function closed<const Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): Closed<Value> {
  const names = Object.keys(values) as Value[];
  const type = Object.fromEntries(names.map((each) => [each, each])) as Closed<Value>;
  const valuesConfig = Object.fromEntries(names.map((each) => [each, { description: values[each] }])) as {
    [Each in Value]: { description: string };
  };
  registerEnumType(type, { name, description, valuesConfig });
  return type;
}

/**
 * Reports a wrong value of an enumeration in the same words as the rules of other fields do: REST shows them as they are (`output must be one of
 * text, audio, video.`).
 */
export function inOurWords(type: GraphQLEnumType): void {
  const names = type.getValues().map(({ name }) => name);
  type.parseValue = (given) => {
    if (typeof given !== 'string') throw new GraphQLError('must be a string.');
    if (!names.includes(given)) throw new GraphQLError(`must be one of ${names.join(', ')}.`);
    return given;
  };
}

export const TurnOutputType = closed<TurnOutput>('TurnOutput', 'As what a turn is made.', {
  text: 'Words alone: free, and ready in seconds.',
  audio: 'Spoken by the avatar’s voice; words alone where it has none.',
  video: 'A talking head that speaks it; words alone where the avatar has no voice.',
});
export const TalkAudienceType = closed('TalkAudience', 'Who may talk with an avatar on its page.', {
  nobody: 'There is no page.',
  signed_in: 'Users who have an account and are signed in.',
  everyone: 'Anyone, also without an account.',
});
export type TalkAudience = keyof typeof TalkAudienceType;
export const MediumType = closed<SpeakOutput>('Medium', 'What a recording is.', {
  audio: 'Sound alone.',
  video: 'A talking head with its sound.',
});
export const TurnModeType = closed<TurnMode>('TurnMode', 'What is done with the words of a turn.', {
  chat: 'The avatar answers them, by its personality, what was said before and what it remembers.',
  speak: 'The avatar says exactly them.',
});
export const TurnRoleType = closed('TurnRole', 'Whose words a turn is.', {
  user: 'The caller’s.',
  avatar: 'The avatar’s.',
});
export const TurnStatusType = closed('TurnStatus', 'How far a turn has come.', {
  pending: 'Not finished: it is being written, or waits for its first medium.',
  audio: 'The sound can be played. Finished, unless a video was asked for, which follows.',
  video: 'The video can be played. Finished.',
  ready: 'The words are there, and nothing more was asked for. Finished.',
  error: 'Failed, uncharged; `errorMessage` says why. Finished.',
});
export const TextModeType = closed<TextMode>('TextMode', 'What is done with a text before it is spoken.', {
  literal: 'It is spoken as it stands.',
  personality: 'It is rewritten in the manner of the avatar first.',
});
export const SpeechStatusType = closed('SpeechStatus', 'How far one-shot speech has come.', {
  pending: 'Not finished.',
  audio: 'The sound can be played. Finished, unless a video was asked for, which follows.',
  video: 'The video can be played. Finished.',
  error: 'Failed, uncharged; `errorMessage` says why. Finished.',
});
export const VideoModelType = closed<VideoModel>('VideoModel', 'How a video is made.', {
  cinematic: 'From words alone, or from words and one image.',
  motion: 'An image that is set in motion.',
  scene: 'From words alone.',
  ensemble: 'With one to three images of whom it features, or a video to edit.',
});
export const VideoStatusType = closed('VideoStatus', 'How far a video has come.', {
  queued: 'It waits for its turn.',
  rendering: 'It is being made; `progress` says how far.',
  ready: 'It can be played, and was charged. Finished.',
  error: 'Failed or cancelled, uncharged; `error` says why. Finished.',
});
export const CheckAnswerType = closed('CheckAnswer', 'Whether something that was asked answered.', {
  yes: 'It answered.',
  no: 'It is configured and did not answer.',
  none: 'It is not configured.',
});
export const ExportStatusType = closed('ExportStatus', 'How far the export of an account has come.', {
  waiting: 'It is being put together.',
  ready: 'It can be fetched.',
  failed: 'It could not be made; ask for another one.',
});
export const VideoTierType = closed('VideoTier', 'A price of video.', {
  draft: 'Lower quality.',
  standard: '720p at 24 frames a second.',
  high: '1080p, or 48 frames a second.',
});
export const VisibilityType = closed<Visibility>('Visibility', 'Who may open a page.', {
  private: 'The user who made it.',
  public: 'Anyone who has its address.',
});
export const GenerateModelType = closed('ImageGenerateModel', 'Which model draws an image.', {
  default: 'The usual one.',
  typo_gen: 'One that sets legible words.',
});
export const EditModelType = closed('ImageEditModel', 'Which model changes images.', {
  default: 'The usual one.',
  typo_edit: 'One that sets legible words; it takes at most two images.',
});
export const ImageModelType = closed<ImageModelId>('ImageModel', 'Which model made an image.', {
  default: 'The usual one.',
  typo_gen: 'The one that draws legible words.',
  typo_edit: 'The one that sets legible words into images.',
});
export const ImageOperationType = closed('ImageOperation', 'How an image came about.', {
  generate: 'From words alone.',
  edit: 'From other images.',
});
export const VoiceSourceType = closed('VoiceSource', 'Where a voice comes from.', {
  preset: 'Chosen by the platform; every account has it.',
  custom: 'Made by its owner from a preset.',
});
export const GiftStatusType = closed('GiftState', 'What became of a proposed gift.', {
  pending: 'Its sender has not decided; nothing moved.',
  confirmed: 'The credits moved.',
  cancelled: 'Its sender or the app took it back; nothing moved.',
  expired: 'It was not confirmed within ten minutes; nothing moved.',
});
export const MemorySystemType = closed('MemorySystem', 'What keeps the memories of an avatar.', {
  managed: 'The platform itself.',
  mem0: 'A server of mem0.',
  supermemory: 'Supermemory.',
});
export const MemoryNamespaceType = closed('MemoryNamespace', 'Who reads a memory.', {
  public: 'Every conversation with the avatar.',
  private: 'The avatar’s owner alone.',
  knowledge: 'Every conversation: it was read from the pages the avatar was trained on.',
  speaker: 'Conversations with the speaker it is about.',
  sandbox: 'Callers who name the sandbox that it lives in.',
});
export const NewMemoryNamespaceType = closed('NewMemoryNamespace', 'Who shall read a new memory.', {
  public: 'Every conversation with the avatar.',
  private: 'The avatar’s owner alone.',
});
export const TrainingStatusType = closed('TrainingStatus', 'How far a training has come.', {
  queued: 'It waits for its turn.',
  running: 'Pages are being read.',
  trained: 'What was read is used from now on. Finished.',
  failed: 'Nothing was learned; `error` says why. Finished.',
  superseded: 'A newer one took its place. Finished.',
});
export const CredentialKindType = closed('CredentialKind', 'What a caller came with.', {
  session: 'A sign-in with a password.',
  apiKey: 'An API key.',
  token: 'An access token of an app.',
});
export const LedgerKindType = closed<LedgerKind>('LedgerKind', 'What lines of the ledger are for.', {
  turn: 'Turns of conversations.',
  speech: 'One-shot speech.',
  image: 'Images.',
  video: 'Videos.',
  tribe: 'Tribes, joined or joined by others.',
  gift: 'Gifts, sent and received.',
  grant: 'Credits that were received from the platform.',
  hold: 'What is set aside for work under way.',
});
export const UsageKindType = closed<UsageKind>('UsageKind', 'What credits were used for.', {
  turn: 'Turns of conversations.',
  speech: 'One-shot speech.',
  image: 'Images.',
  video: 'Videos.',
});
export const JobKindType = closed<JobKind>('JobKind', 'What background work is.', {
  reply: 'A reply of an avatar is written.',
  render: 'A turn gets its sound and its video.',
  speak: 'One-shot speech is made.',
  image: 'An image is made.',
  video: 'A video is made.',
  train: 'An avatar learns its pages.',
  remember: 'What was said becomes memories.',
  idle: 'A video of an avatar at rest is made.',
  mail: 'A mail is sent.',
  export: 'The export of an account is put together.',
  webhook: 'An event is sent to an address.',
  face: 'How the lips of a photograph are best drawn shut is found out.',
});
export const EnginePartType = closed('EnginePart', 'What an instance needs; some of it several times.', {
  database: 'PostgreSQL.',
  memory: 'The external memory systems that avatars have.',
  storage: 'Where media are kept.',
  redis: 'What counts requests for several processes.',
  notifications: 'The broker of notifications between processes.',
  mail: 'The server that mails go through.',
  sign_in: 'An issuer whose tokens sign users in.',
  twitch: 'The streaming platform.',
  chat: 'What writes replies.',
  embedding: 'What finds memories by their meaning.',
  speech: 'What speaks.',
  transcription: 'What writes down speech.',
  talking_head: 'What moves a face to speech.',
  image: 'What draws images.',
  video: 'What makes videos.',
});
export const OAuthGrantTypeType = closed('OAuthGrantType', 'What an app gets a token for (RFC 6749, 7591).', {
  authorization_code: 'The code that the browser came back with.',
  client_credentials: 'Its own secret: it acts as its service avatar.',
  refresh_token: 'The refresh token that came with the last one.',
});
export const OAuthResponseTypeType = closed('OAuthResponseType', 'What the browser comes back with (RFC 7591).', {
  code: 'A code, to be given for a token.',
});
export const OAuthClientAuthenticationType = closed(
  'OAuthClientAuthentication',
  'How an app proves itself at the token endpoint (RFC 7591).',
  {
    none: 'By PKCE alone.',
    client_secret_post: 'By its secret, in the body.',
    client_secret_basic: 'By its secret, in the header Authorization.',
  },
);
export const OAuthTokenTypeType = closed('OAuthTokenType', 'What a token is used as (RFC 6749, 7662).', {
  Bearer: 'An access token: its bearer may use it.',
  refresh_token: 'It is given for the next access token.',
});

/** What updates of a user's own are about. */
export type AccountChangeKind = 'conversation' | 'video' | 'speech' | 'image' | 'balance' | 'gift' | 'training';
export const AccountChangeKindType = closed<AccountChangeKind>('AccountUpdateKind', 'What an update is about.', {
  conversation: 'A conversation, or a turn of it.',
  video: 'A video.',
  speech: 'A one-shot speech.',
  image: 'An image.',
  balance: 'Your credits.',
  gift: 'A gift, sent or received.',
  training: 'The training of an avatar.',
});
