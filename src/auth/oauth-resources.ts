/**
 * Resource indicators (RFC 8707): which resource a token is for. Beside the API itself there is one, the tools for models at
 * `/mcp`: a token for it opens nothing else, and no other app's token opens it.
 */

import { sha256 } from '../kernel/ids.ts';

/** What self-registered apps may ask for, and the tools need. */
export const TOOL_SCOPES = ['profile', 'avatars:read', 'generate'] as const;

/** The address of the tools for models: their name as a resource. */
export const toolsResource = (baseUrl: string): string => `${baseUrl}/mcp`;

/** Whether a `resource` parameter names the tools, however it is spelt. */
export function isToolsResource(text: string, baseUrl: string): boolean {
  return URL.canParse(text) && new URL(text).href === new URL(toolsResource(baseUrl)).href;
}

/**
 * The hash that an access token or a code is stored under. One for a resource has another than one for the whole API, so that
 * releases before 1.3, which read no resource, find nothing.
 */
export function storedHash(secret: string, resource: string | null): string {
  return sha256(resource === null ? secret : `mcp ${secret}`);
}

/** The hashes that an access token or a code may be stored under, whatever it is for. */
export const storedHashes = (secret: string): [forTools: string, forApi: string] => [
  storedHash(secret, 'tools'),
  storedHash(secret, null),
];
