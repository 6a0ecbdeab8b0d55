/**
 * Who may read which memories: every reader of a brain takes its namespaces from `readableNamespaces`, or a part of them.
 * It decides nothing about avatars: whether the caller may address the avatar at all is settled before.
 */
import type { Readable } from './memory-system.port.ts';

/** Who reads memories. */
export type Reader =
  /** The avatar's owner, through recall, query and lists. */
  | { kind: 'owner'; speakerRef?: string | null }
  /** Anyone else who may render the avatar; their slices carry their own id in front. */
  | { kind: 'other'; callerId: string; speakerRef?: string | null }
  /** A reply being written for a speaker: what the avatar knows in public, and what this speaker stated to it. */
  | { kind: 'reply'; speakerRef: string | null };

/** The part of what a reader sees that one search looks through: some shared namespaces, and the speakers' slices or none. */
export function narrowed(
  readable: Readable,
  { shared, speakers }: { shared: Readable['shared']; speakers: boolean },
): Readable {
  return {
    shared: readable.shared.filter((name) => shared.includes(name)),
    speakers: speakers ? readable.speakers : { refs: [] },
  };
}

/** What stands between a caller's id and the speakerRef or sandbox they named. */
const SEPARATOR = ':';

/** The speakerRef as stored: a non-owner's is prefixed with their id, so that no caller can name another's slice. */
export function storedSpeakerRef(reader: { kind: 'owner' } | { kind: 'other'; callerId: string }, ref: string): string {
  return reader.kind === 'owner' ? ref : `${reader.callerId}${SEPARATOR}${ref}`;
}

/**
 * The sandbox as stored: its name belongs to the caller. The owner's are kept under the bare name; another
 * caller's carry their id in front, which no name of an owner's does, because a name cannot hold the separator.
 */
export function storedSandboxId(
  reader: { kind: 'owner' } | { kind: 'other'; callerId: string },
  name: string | null,
): string | null {
  return reader.kind === 'owner' || name === null ? name : `${reader.callerId}${SEPARATOR}${name}`;
}

/**
 * The namespaces a reader sees in the brain they ask. The same rule holds inside a sandbox: a sandbox is a brain of
 * its own, so nothing outside it is ever in question.
 */
export function readableNamespaces(reader: Reader): Readable {
  switch (reader.kind) {
    case 'owner':
      return reader.speakerRef
        ? { shared: ['public', 'private'], speakers: { refs: [reader.speakerRef] } }
        : { shared: ['public', 'private', 'knowledge'], speakers: 'all' };
    case 'other':
      return {
        shared: ['public'],
        speakers: reader.speakerRef
          ? { refs: [storedSpeakerRef(reader, reader.speakerRef)] }
          : { prefix: `${reader.callerId}${SEPARATOR}` },
      };
    case 'reply':
      return { shared: ['public', 'knowledge'], speakers: { refs: reader.speakerRef ? [reader.speakerRef] : [] } };
  }
}
