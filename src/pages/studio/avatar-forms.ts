/** What the forms of an avatar's page do: one operation each, answered by a redirect to the page. */
import type { FastifyReply } from 'fastify';
import {
  ADD_IMAGE,
  DELETE_AVATAR,
  DELETE_MEMORY,
  SAVE_MEMORY,
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
import type { Outcome } from '../site.ts';
import { text, type Visit } from '../visit.ts';

export const PATH = '/studio/avatars';

type AvatarForm = (visit: Visit, avatarId: string) => Promise<FastifyReply>;

/** Back to the page, with what was done or why not. */
function back(visit: Visit, avatarId: string, { data, message }: Outcome<unknown>, done: string, at: string) {
  return visit.goTo(`${PATH}/${avatarId}#${at}`, data ? { done } : { problem: inWords(message) });
}

/** The services name a field as the API does. */
const inWords = (message: string): string =>
  message
    .replace(/^displayName /, 'The name ')
    .replace(/^personalityPrompt /, 'Who it is ')
    .replace(/^knowledgeBaseUrls /, 'The list of pages ')
    .replace(/^imageUrl /, 'The image ')
    .replace(/^creditsPer(Day|Visitor) /, 'The limit ')
    .replace(/^greeting /, 'The greeting ')
    .replace(/^content /, 'The memory ');

const point = (visit: Visit, name: string): { x: number; y: number } => {
  const [x = 0, y = 0] = text(visit.fields, name).split(',').map(Number);
  return { x, y };
};

export const AVATAR_FORMS: Readonly<Record<string, AvatarForm>> = {
  async persona(visit, avatarId) {
    const folderId = text(visit.fields, 'folderId');
    const input = {
      // A locked name has no field.
      ...(typeof visit.fields.name === 'string' ? { displayName: visit.fields.name } : {}),
      personalityPrompt: text(visit.fields, 'persona').trim() || null,
      folderId: folderId || null,
    };
    return back(visit, avatarId, await visit.ask(UPDATE_AVATAR, { avatarId, input }), 'Saved.', 'persona');
  },
  async images(visit, avatarId) {
    const imageUrl = text(visit.fields, 'imageUrl').trim();
    return back(visit, avatarId, await visit.ask(ADD_IMAGE, { avatarId, imageUrl }), 'The image is added.', 'face');
  },
  async primary(visit, avatarId) {
    const assetId = text(visit.fields, 'assetId');
    const outcome = await visit.ask(SET_PRIMARY_IMAGE, { avatarId, assetId });
    return back(visit, avatarId, outcome, 'This is its face now.', 'face');
  },
  async face(visit, avatarId) {
    const face = { leftEye: point(visit, 'leftEye'), rightEye: point(visit, 'rightEye'), mouth: point(visit, 'mouth') };
    const outcome = await visit.ask(SET_FACE, { avatarId, imageUrl: text(visit.fields, 'imageUrl'), face });
    return back(visit, avatarId, outcome, 'The face is found there from now on.', 'face');
  },
  async voice(visit, avatarId) {
    const outcome = await visit.ask(USE_VOICE, { avatarId, voiceId: text(visit.fields, 'voice') });
    return back(visit, avatarId, outcome, 'It speaks with this voice now.', 'voice');
  },
  async knowledge(visit, avatarId) {
    const knowledgeBaseUrls = text(visit.fields, 'pages').split(/\s+/).filter(Boolean);
    const saved = await visit.ask(UPDATE_AVATAR, { avatarId, input: { knowledgeBaseUrls } });
    if (!saved.data || visit.fields.train === undefined) return back(visit, avatarId, saved, 'Saved.', 'knowledge');
    return back(visit, avatarId, await visit.ask(TRAIN, { avatarId }), 'It reads these pages now.', 'knowledge');
  },
  async remember(visit, avatarId) {
    const outcome = await visit.ask(SAVE_MEMORY, { avatarId, content: text(visit.fields, 'content') });
    return back(visit, avatarId, outcome, 'Remembered.', 'memory');
  },
  async 'memory/edit'(visit, avatarId) {
    const { fields } = visit;
    const given = { avatarId, id: text(fields, 'id'), content: text(fields, 'content') };
    return back(visit, avatarId, await visit.ask(UPDATE_MEMORY, given), 'The memory is changed.', 'memory');
  },
  async 'memory/delete'(visit, avatarId) {
    const outcome = await visit.ask(DELETE_MEMORY, { avatarId, id: text(visit.fields, 'id') });
    return back(visit, avatarId, outcome, 'Forgotten.', 'memory');
  },
  async delete(visit, avatarId) {
    const { data, message } = await visit.ask(DELETE_AVATAR, { avatarId });
    return data ? visit.goTo(PATH, { done: 'The avatar is deleted.' }) : visit.goTo(PATH, { problem: message });
  },
  async visitors(visit, avatarId) {
    const { fields } = visit;
    const cap = (name: string): number | null => (text(fields, name).trim() === '' ? null : Number(text(fields, name)));
    const input = {
      avatarId,
      audience: text(fields, 'audience'),
      creditsPerVisitor: cap('creditsPerVisitor'),
      creditsPerDay: cap('creditsPerDay'),
      greeting: text(fields, 'greeting').trim() || null,
    };
    return back(visit, avatarId, await visit.ask(SET_TALK_SETTINGS, { input }), 'Saved.', 'visitors');
  },
  async 'visitors/block'(visit, avatarId) {
    const input = { visitorId: text(visit.fields, 'visitorId'), isBlocked: text(visit.fields, 'isBlocked') === 'true' };
    const done = input.isBlocked ? 'They are shut out.' : 'They may talk again.';
    return back(visit, avatarId, await visit.ask(SET_VISITOR_BLOCKED, { input }), done, 'visitors');
  },
  async access(visit, avatarId) {
    const isPublic = visit.fields.isPublic !== undefined;
    const cap = text(visit.fields, 'cap').trim();
    const capped = await visit.ask(SET_CAP, { avatarId, creditsPerDay: cap === '' ? null : Number(cap) });
    if (!capped.data) return back(visit, avatarId, capped, '', 'access');
    return back(visit, avatarId, await visit.ask(SET_PUBLIC, { avatarId, isPublic }), 'Saved.', 'access');
  },
};
