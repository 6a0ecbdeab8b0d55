/** What the forms of an avatar's page do: one operation each. What came of it is said in the section of the form. */
import {
  ADD_IMAGE,
  DELETE_MEMORY,
  DELETE_VOICE,
  FORGET_KNOWLEDGE,
  SAVE_MEMORY,
  SELECT_MEMORY,
  SET_CAP,
  SET_FACE,
  SET_PRIMARY_IMAGE,
  SET_PUBLIC,
  SET_TALK_SETTINGS,
  SET_VISITOR_BLOCKED,
  TRAIN,
  UPDATE_AVATAR,
  UPDATE_MEMORY,
  USE_VOICE,
} from '../operations.ts';
import { voiceDeleted } from '../own-voices.ts';
import type { Outcome } from '../page-context.ts';
import { type PageRequest, text } from '../page-request.ts';

/** Path of an owner's avatars. */
export const PATH = '/studio/avatars';

/** What came of a form. */
export interface FormResult {
  /** Section of the page that says it. */
  at: string;
  done?: string;
  /** Why not; the form then keeps what was written in it. */
  problem?: string;
}

type AvatarForm = (pageRequest: PageRequest, avatarId: string) => Promise<FormResult>;

const result = ({ data, message }: Outcome<unknown>, done: string, at: string): FormResult =>
  data ? { at, done } : { at, problem: inWords(message) };

/** The services name a field as the API does. */
const inWords = (message: string): string =>
  message
    .replace(/^userText /, 'What you say ')
    .replace(/^displayName /, 'The name ')
    .replace(/^personalityPrompt /, 'Who it is ')
    .replace(/^knowledgeBaseUrls must be an http or https address/, 'Each page must be an http or https address')
    .replace(/^knowledgeBaseUrls /, 'The list of pages ')
    .replace(/^imageUrl /, 'The image ')
    .replace(/^creditsPer(Day|Visitor) /, 'The limit ')
    .replace(/^greeting /, 'The greeting ')
    .replace(/^content /, 'The memory ')
    .replace(/^baseUrl /, 'The address of the memory system ')
    .replace(/^apiKey /, 'The key of the memory system ');

const point = (pageRequest: PageRequest, name: string): { x: number; y: number } => {
  const [x = 0, y = 0] = text(pageRequest.fields, name).split(',').map(Number);
  return { x, y };
};

/** The forms of an avatar's page, by name. */
export const AVATAR_FORMS: Readonly<Record<string, AvatarForm>> = {
  async persona(pageRequest, avatarId) {
    const folderId = text(pageRequest.fields, 'folderId');
    const input = {
      avatarId,
      // A locked name has no field.
      ...(typeof pageRequest.fields.name === 'string' ? { displayName: pageRequest.fields.name } : {}),
      personalityPrompt: text(pageRequest.fields, 'persona').trim() || null,
      folderId: folderId || null,
    };
    return result(await pageRequest.ask(UPDATE_AVATAR, { input }), 'Saved.', 'persona');
  },
  async images(pageRequest, avatarId) {
    const imageUrl = text(pageRequest.fields, 'imageUrl').trim();
    return result(await pageRequest.ask(ADD_IMAGE, { avatarId, imageUrl }), 'The image is added.', 'face');
  },
  async primary(pageRequest, avatarId) {
    const assetId = text(pageRequest.fields, 'assetId');
    const outcome = await pageRequest.ask(SET_PRIMARY_IMAGE, { avatarId, assetId });
    return result(outcome, 'This is its face now.', 'face');
  },
  async face(pageRequest, avatarId) {
    const face = {
      leftEye: point(pageRequest, 'leftEye'),
      rightEye: point(pageRequest, 'rightEye'),
      mouth: point(pageRequest, 'mouth'),
    };
    const outcome = await pageRequest.ask(SET_FACE, { avatarId, imageUrl: text(pageRequest.fields, 'imageUrl'), face });
    return result(outcome, 'The face is found there from now on.', 'face');
  },
  async voice(pageRequest, avatarId) {
    const outcome = await pageRequest.ask(USE_VOICE, { avatarId, voiceId: text(pageRequest.fields, 'voice') });
    return result(outcome, 'It speaks with this voice now.', 'voice');
  },
  async knowledge(pageRequest, avatarId) {
    const knowledgeBaseUrls = text(pageRequest.fields, 'pages').split(/\s+/).filter(Boolean);
    const saved = await pageRequest.ask(UPDATE_AVATAR, { input: { avatarId, knowledgeBaseUrls } });
    if (!saved.data || pageRequest.fields.train === undefined) return result(saved, 'Saved.', 'knowledge');
    return result(await pageRequest.ask(TRAIN, { avatarId }), 'It reads these pages now.', 'knowledge');
  },
  async 'knowledge/forget'(pageRequest, avatarId) {
    const outcome = await pageRequest.ask(FORGET_KNOWLEDGE, { avatarId, source: text(pageRequest.fields, 'source') });
    return result(outcome, 'The page is forgotten.', 'knowledge');
  },
  async 'voice/delete'(pageRequest) {
    const outcome = await pageRequest.ask(DELETE_VOICE, { voiceId: text(pageRequest.fields, 'voiceId') });
    return result(outcome, outcome.data ? voiceDeleted(outcome.data) : '', 'voice');
  },
  async 'memory/system'(pageRequest, avatarId) {
    const { fields } = pageRequest;
    const [system, baseUrl, apiKey] = ['system', 'baseUrl', 'apiKey'].map((name) => text(fields, name).trim());
    const outcome = await pageRequest.ask(SELECT_MEMORY, {
      avatarId,
      system: system ?? '',
      ...(baseUrl ? { baseUrl } : {}),
      ...(apiKey ? { apiKey } : {}),
    });
    return result(outcome, 'Its memory is kept there from now on.', 'memory');
  },
  async remember(pageRequest, avatarId) {
    const outcome = await pageRequest.ask(SAVE_MEMORY, { avatarId, content: text(pageRequest.fields, 'content') });
    return result(outcome, 'Remembered.', 'memory');
  },
  async 'memory/edit'(pageRequest, avatarId) {
    const { fields } = pageRequest;
    const given = { avatarId, id: text(fields, 'id'), content: text(fields, 'content') };
    return result(await pageRequest.ask(UPDATE_MEMORY, given), 'The memory is changed.', 'memory');
  },
  async 'memory/delete'(pageRequest, avatarId) {
    const outcome = await pageRequest.ask(DELETE_MEMORY, { avatarId, id: text(pageRequest.fields, 'id') });
    return result(outcome, 'Forgotten.', 'memory');
  },
  async visitors(pageRequest, avatarId) {
    const { fields } = pageRequest;
    const cap = (name: string): number | null => (text(fields, name).trim() === '' ? null : Number(text(fields, name)));
    const input = {
      avatarId,
      audience: text(fields, 'audience'),
      creditsPerVisitor: cap('creditsPerVisitor'),
      creditsPerDay: cap('creditsPerDay'),
      greeting: text(fields, 'greeting').trim() || null,
    };
    return result(await pageRequest.ask(SET_TALK_SETTINGS, { input }), 'Saved.', 'visitors');
  },
  async 'visitors/block'(pageRequest) {
    const input = {
      visitorId: text(pageRequest.fields, 'visitorId'),
      isBlocked: text(pageRequest.fields, 'isBlocked') === 'true',
    };
    const done = input.isBlocked ? 'They are shut out.' : 'They may talk again.';
    return result(await pageRequest.ask(SET_VISITOR_BLOCKED, { input }), done, 'visitors');
  },
  async access(pageRequest, avatarId) {
    const isPublic = pageRequest.fields.isPublic !== undefined;
    const cap = text(pageRequest.fields, 'cap').trim();
    const capped = await pageRequest.ask(SET_CAP, { avatarId, creditsPerDay: cap === '' ? null : Number(cap) });
    if (!capped.data) return result(capped, '', 'access');
    return result(await pageRequest.ask(SET_PUBLIC, { avatarId, isPublic }), 'Saved.', 'access');
  },
};
