/** The documented endpoints: Avatar folders. */
import type { Route } from './route.ts';

export const FOLDER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/avatar-folders',
    section: 'Avatar folders',
    summary: 'List your folders.',
    operation: '{ folders: avatarFolders { nodes { folderId name icon createdAt } } }',
    body: 'data',
    list: 'folders',
  },
  {
    method: 'POST',
    path: '/avatar-folders',
    section: 'Avatar folders',
    summary: 'Create a folder.',
    operation:
      'mutation($name: String!, $icon: URL) { folder: createAvatarFolder(input: { name: $name, icon: $icon }) { folderId name icon createdAt } }',
    body: 'data',
    idempotent: true,
  },
  {
    method: 'DELETE',
    path: '/avatar-folders/{folderId}',
    section: 'Avatar folders',
    summary: 'Delete a folder; its avatars are kept.',
    operation:
      'mutation($folderId: ID!) { deleteAvatarFolder(input: { folderId: $folderId }) { ok folderId unfiledAvatars } }',
    body: 'root',
  },
];
