/**
 * The tools for models. Permissions, prices and refusals are those of the graph: a row only names the operation that it executes.
 */
import type { Data, ObjectForm, Tool } from './tool.ts';

const AVATAR = 'avatarId avatarOwnerUserId displayName avatarImageUrl ttsVoiceId publiclyRenderable';
const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';
const TURN = 'id role userText avatarText output status audioUrl videoUrl shareUrl errorMessage mediaError createdAt';
const TALK = `conversationId isReplyPending turns(last: $last) { nodes { ${TURN} } }`;
const SPEECH = 'generationId status audioUrl videoUrl errorMessage';
const VIDEO = 'generationId status progress videoUrl url seconds creditCost error';
const IMAGE = 'imageUrl aspectRatio creditCost model';

interface Turn {
  id: string;
  role: string;
  avatarText: string | null;
  output: string | null;
  status: string;
  errorMessage: string | null;
}

const DONE: Readonly<Record<string, readonly string[]>> = { audio: ['audio', 'video'], video: ['video'] };
const isFinished = ({ output, status }: Turn): boolean =>
  status === 'error' || (DONE[output ?? ''] ?? ['ready']).includes(status);

interface Talk {
  conversationId: string;
  isReplyPending: boolean;
  turns: Turn[];
}

/** The chunks of the reply to one's words: from its first one to the next words of a user. */
function replyIn(started: Data, read: Data): Data {
  const conversation = read.conversation as Talk;
  const { turn } = started.said as { turn: Turn };
  const from = conversation.turns.findIndex(({ id }) => id === turn.id);
  const rest = from < 0 ? [turn] : conversation.turns.slice(from);
  const end = rest.findIndex(({ role }) => role === 'user');
  const reply = end < 0 ? rest : rest.slice(0, end);
  const isDone = reply.every(isFinished) && (end >= 0 || !conversation.isReplyPending);
  return { conversationId: conversation.conversationId, isDone, reply };
}

function replyForm({ properties }: ObjectForm): ObjectForm {
  const conversation = properties.conversation as ObjectForm;
  const { conversationId, turns } = conversation.properties;
  if (!conversationId || !turns) throw new Error('The conversation is not read.');
  const isDone = { type: 'boolean', description: 'False while more of the reply is made.' };
  return {
    type: 'object',
    properties: { conversationId, isDone, reply: { ...turns, description: 'The chunks of the reply.' } },
    required: ['conversationId', 'isDone', 'reply'],
  };
}

const wordsOf = (turns: Turn[]): string =>
  turns
    .map(({ avatarText, errorMessage }) => avatarText ?? errorMessage ?? '')
    .filter(Boolean)
    .join(' ');

interface Job {
  status: string;
  progress?: number;
}
const jobOf = (data: Data, name: string): Job => data[name] as Job;
/** Speech is finished when it has the medium that was asked for. */
const isSpoken = ({ status }: Job, { output }: Data): boolean => status === 'error' || status === (output ?? 'audio');

/** Every tool, in the order in which a model gets them. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'list_avatars',
    title: 'List or find avatars',
    description: 'The avatars of the account, oldest first: all, or those whose name contains `name`. Free.',
    operation: `query($first: Int, $after: String) { avatars(first: $first, after: $after) { nodes { ${AVATAR} } ${PAGE_INFO} } }`,
    filters: 'avatars',
  },
  {
    name: 'list_public_avatars',
    title: 'List public avatars',
    description: 'Public avatars of all users, newest first. Free.',
    operation: `query($first: Int, $after: String) { avatars: publicAvatars(first: $first, after: $after) { nodes { ${AVATAR} } ${PAGE_INFO} } }`,
  },
  {
    name: 'get_avatar',
    title: 'Read an avatar',
    description: 'One avatar by its id: an own one, or a public one. Free.',
    operation: `query($avatarId: ID!) { avatar(avatarId: $avatarId) { ${AVATAR} personalityPrompt } }`,
  },
  {
    name: 'create_avatar',
    title: 'Create an avatar',
    description: 'Makes an avatar of the account; without an image a portrait is drawn. Free.',
    operation: `mutation($input: CreateAvatarInput!) {
      created: createAvatar(input: $input) { avatar { ${AVATAR} personalityPrompt } } }`,
    omits: ['folderId'],
  },
  {
    name: 'list_voices',
    title: 'List voices',
    description: 'Voices that avatars may have: presets and own ones. Free.',
    operation: '{ voices { nodes { id name source } } }',
  },
  {
    name: 'start_conversation',
    title: 'Start a conversation',
    description:
      'Begins a conversation with an avatar, for `say`. `liveUrl` is a page where a person can watch it. Free; what is said in it is not.',
    operation: `mutation($avatarOwnerUserId: ID!, $avatarId: ID!, $idempotencyKey: String) {
      conversation: createConversation(input: { avatarOwnerUserId: $avatarOwnerUserId, avatarId: $avatarId, idempotencyKey: $idempotencyKey }) {
      conversationId shareUrl liveUrl } }`,
  },
  {
    name: 'say',
    title: 'Say something to an avatar',
    description:
      'Says something in a conversation and waits for the reply: text, or with `output` audio or video its recording too. ' +
      'Costs credits. A reply that takes longer is given as far as it is; `get_conversation` has the rest.',
    operation: `mutation($input: InjectTurnInput!) {
      said: injectTurn(input: $input) { turn { ${TURN} } } }`,
    defaults: { output: 'text' },
    waits: {
      operation: `query($conversationId: ID!, $last: Int = 20) { conversation(conversationId: $conversationId) { ${TALK} } }`,
      variables: (_started, { conversationId }) => ({ conversationId }),
      result: replyIn,
      resultForm: replyForm,
      isDone: ({ isDone }) => isDone === true,
      later: 'get_conversation',
    },
    says: ({ reply }) => wordsOf(reply as Turn[]),
  },
  {
    name: 'get_conversation',
    title: 'Read a conversation',
    description: 'The last turns of a conversation with their recordings, in the order they were said. Free.',
    operation: `query($conversationId: ID!, $last: Int = 20) { conversation(conversationId: $conversationId) {
      avatarDisplayName shareUrl liveUrl ${TALK} } }`,
  },
  {
    name: 'speak',
    title: 'Let an avatar speak a text',
    description:
      'Makes a recording, or a talking-head video, of an avatar that speaks the text, and waits for it. Costs credits; the ' +
      'same text again is free. What takes longer is given by `get_speech`.',
    operation: `mutation($input: SpeakInput!) {
      speech: speak(input: $input) { ${SPEECH} } }`,
    waits: {
      operation: `query($generationId: ID!) { speech: speakGeneration(generationId: $generationId) { ${SPEECH} } }`,
      variables: ({ speech }) => ({ generationId: (speech as { generationId: string }).generationId }),
      result: (_started, read) => read,
      isDone: (data, args) => isSpoken(jobOf(data, 'speech'), args),
      later: 'get_speech',
    },
  },
  {
    name: 'get_speech',
    title: 'Read a recording',
    description: 'What `speak` began, as far as it is. Free.',
    operation: `query($generationId: ID!) { speech: speakGeneration(generationId: $generationId) { ${SPEECH} } }`,
  },
  {
    name: 'generate_image',
    title: 'Make an image',
    description: 'Makes an image from a text and waits for it. Costs credits, after success.',
    operation: `mutation($input: GenerateImageInput!) {
      image: generateImage(input: $input) { ${IMAGE} } }`,
  },
  {
    name: 'edit_image',
    title: 'Edit images',
    description:
      'Edits an image, or joins up to five, as the text says, and waits for it. Costs credits, after success.',
    operation: `mutation($input: EditImageInput!) {
      image: editImage(input: $input) { ${IMAGE} } }`,
  },
  {
    name: 'generate_video',
    title: 'Make a video',
    description:
      'Makes a video from a text, an image, or an avatar that speaks, and waits for it. Costs credits by the second, on ' +
      'success. What takes longer is given by `get_video`.',
    operation: `mutation($input: GenerateVideoInput!) {
      video: generateVideo(input: $input) { ${VIDEO} } }`,
    waits: {
      operation: `query($generationId: ID!) { video(generationId: $generationId) { ${VIDEO} } }`,
      variables: ({ video }) => ({ generationId: (video as { generationId: string }).generationId }),
      result: (_started, read) => read,
      isDone: (data) => ['ready', 'error'].includes(jobOf(data, 'video').status),
      progress: (data) => jobOf(data, 'video').progress,
      later: 'get_video',
    },
  },
  {
    name: 'get_video',
    title: 'Read a video',
    description: 'What `generate_video` began, as far as it is. Free.',
    operation: `query($generationId: ID!) { video(generationId: $generationId) { ${VIDEO} } }`,
  },
  {
    name: 'video_prices',
    title: 'Prices of videos',
    description: 'What a second of video costs. Free.',
    operation: '{ rates: videoPricing { tier creditsPerSecond appliesTo } }',
  },
  {
    name: 'save_memory',
    title: 'Save a memory',
    description: 'Lets an avatar remember something, which it then knows in conversations. Free.',
    operation: `mutation($input: SaveMemoryInput!) { saved: saveMemory(input: $input) { ok id } }`,
  },
  {
    name: 'recall_memories',
    title: 'Find memories',
    description: 'What an avatar remembers about something, best match first. Free.',
    operation: `query($avatarId: ID!, $input: RecallInput!) { recalled: recallMemories(avatarId: $avatarId, input: $input) {
      memories { id content score namespace } } }`,
  },
  {
    name: 'ask_memory',
    title: 'Ask what an avatar knows',
    description: 'Answers a question from what an avatar remembers, with the memories that it comes from. Free.',
    operation: `query($avatarId: ID!, $input: QueryBrainInput!) { answered: queryBrain(avatarId: $avatarId, input: $input) {
      answer citations { id content score } } }`,
  },
  {
    name: 'get_balance',
    title: 'Read the balance',
    description: 'How many credits the account has. Free.',
    operation: '{ account: me { displayName balance { available held } } }',
  },
];
