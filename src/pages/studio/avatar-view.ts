/** What the parts of an avatar's page show, and what all of them are made of. */
import { type Html, html } from '../html.ts';
import type { AvatarData, KnowledgeData, MemoriesData, RecallData } from '../operations.ts';
import type { PageRequest } from '../page-request.ts';
import { PATH } from './avatar-forms.ts';

/** A memory in a list, or one that was found. */
export type Memory = MemoriesData['memories']['nodes'][number] | RecallData['recallMemories']['memories'][number];

/** What the parts of an avatar's page show. */
export interface AvatarView extends Omit<AvatarData, 'avatars' | 'avatarImages'> {
  pageRequest: PageRequest;
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

/** Where a form of the page is sent. */
export const action = (view: AvatarView, name: string): string => `${pageOf(view)}/${name}`;

/** A part with its heading, which forms lead back to by its id. */
export function section(id: string, title: string, body: Html): Html {
  return html`<section class="panel card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;
}
