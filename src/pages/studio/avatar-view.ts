/** What the parts of an avatar's page show, and what all of them are made of. */
import { type Html, html } from '../html.ts';
import type { AvatarData, KnowledgeData, MemoriesData, RecallData } from '../operations.ts';
import { type PageRequest, text } from '../page-request.ts';
import { PATH } from './avatar-forms.ts';
import { flashNotice } from './parts.ts';

/** A memory in a list, or one that was found. */
export type Memory = MemoriesData['memories']['nodes'][number] | RecallData['recallMemories']['memories'][number];

/** What the parts of an avatar's page show. */
export interface AvatarView extends Omit<AvatarData, 'avatars' | 'avatarImages'> {
  pageRequest: PageRequest;
  /** The form that was refused: the page keeps what was written in it. */
  refusedForm: string | undefined;
  avatar: AvatarData['avatars']['nodes'][number];
  images: AvatarData['avatarImages']['images'];
  /** Undefined where they cannot be listed. */
  memories: Memory[] | undefined;
  moreMemories: string | null;
  searched: string;
  /** Passages it learnt; undefined where none are asked for. */
  learnt: (KnowledgeData['knowledge'] & { source: string | null; search: string | null }) | undefined;
}

/** Address of the page. */
export const pageOf = ({ pageRequest, avatar }: AvatarView): string =>
  `${pageRequest.site.sitePath}${PATH}/${avatar.avatarId}`;

/** Where a form of the page is sent, and which section is in view when it is refused. */
export const action = (view: AvatarView, name: string, section: string): string => `${pageOf(view)}/${name}#${section}`;

/** What a field of a form holds: what is saved, or what was written before the form was refused. */
export const held = ({ refusedForm, pageRequest }: AvatarView, form: string, name: string, saved?: unknown): string =>
  refusedForm === form ? text(pageRequest.fields, name) : String(saved ?? '');

/** A part with its heading, which forms lead back to by its id, and what came of its last form. */
export function section({ pageRequest }: AvatarView, id: string, title: string, body: Html): Html {
  return html`<section class="panel card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${flashNotice(pageRequest.flash, id)}${body}</section>`;
}
