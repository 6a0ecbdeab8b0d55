/**
 * The boxes of an MP4 or QuickTime file, read before anything else reads them: every size stays within its parent and
 * every count within its box and within what the file can hold, so that no reader sets out on four thousand million
 * entries. What the boxes mean beyond that is mediabunny's to read.
 */
import { fourCharacters, type Refuse, viewOf } from './refusal.ts';

interface Box {
  name: string;
  /** Where the content begins, behind the header. */
  at: number;
  end: number;
}

const CONTAINERS = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf', 'dinf']);
/** Tables of entries of one length: where their count stands and how long an entry is, by the box's version. */
const TABLES: Record<string, { count: number; entry: (version: number) => number }> = {
  stts: { count: 4, entry: () => 8 },
  ctts: { count: 4, entry: () => 8 },
  stsc: { count: 4, entry: () => 12 },
  stco: { count: 4, entry: () => 4 },
  co64: { count: 4, entry: () => 8 },
  stss: { count: 4, entry: () => 4 },
  elst: { count: 4, entry: (version) => (version === 1 ? 20 : 12) },
};
/** More boxes than this are made to be slow; a fragment of a video has about six. */
const MOST_BOXES = 200_000;
const MOST_EDITS = 1_000;

/** What the boxes of one track say. */
interface Track {
  timescale: number;
  samples: number;
  timed: number;
  ticks: number;
}

/**
 * Seconds of the longest track by its tables; undefined in a file of fragments. Refuses counts that cannot be.
 * @param bytes the file, or all of it but the media. @param fileBytes length of the file
 */
export function checkMp4(bytes: Uint8Array, refuse: Refuse, fileBytes = bytes.length): number | undefined {
  const tracks: Track[] = [];
  let seen = 0;
  let hasMovie = false;
  const walk = (from: number, end: number) => {
    for (const box of boxesOf(bytes, from, end, refuse)) {
      if (++seen > MOST_BOXES) refuse(`has more than ${MOST_BOXES} boxes.`);
      if (box.name === 'moov') hasMovie = true;
      if (box.name === 'trak') tracks.push({ timescale: 0, samples: 0, timed: 0, ticks: 0 });
      readBox(bytes, box, { track: tracks.at(-1), fileBytes, refuse });
      if (CONTAINERS.has(box.name)) walk(box.at, box.end);
    }
  };
  walk(0, bytes.length);
  if (!hasMovie) refuse('is an MP4 without its "moov" box.');
  if (tracks.length === 0) refuse('is an MP4 without any track.');
  for (const track of tracks) {
    if (track.timescale === 0) refuse('is an MP4 with a track of no time scale ("mdhd").');
    if (track.timed !== track.samples) refuse('is an MP4 whose "stts" and "stsz" boxes count different samples.');
  }
  const seconds = Math.max(...tracks.map(({ ticks, timescale }) => ticks / timescale));
  return seconds > 0 ? seconds : undefined;
}

function* boxesOf(bytes: Uint8Array, from: number, end: number, refuse: Refuse): Generator<Box> {
  const view = viewOf(bytes);
  for (let at = from; at + 8 <= end; ) {
    const name = fourCharacters(bytes, at + 4);
    const short = view.getUint32(at);
    const head = short === 1 ? 16 : 8;
    if (at + head > end) refuse(`is an MP4 whose "${printable(name)}" box is cut off.`);
    const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
    // The media itself may be cut off: what is there is read.
    if (size < head || (at + size > end && name !== 'mdat'))
      refuse(`is an MP4 whose "${printable(name)}" box has a wrong size.`);
    yield { name, at: at + head, end: Math.min(end, at + size) };
    at += size;
  }
}

const printable = (name: string) => name.replace(/[^ -~]/g, '?');

interface Reading {
  track: Track | undefined;
  fileBytes: number;
  refuse: Refuse;
}

function readBox(bytes: Uint8Array, box: Box, { track, fileBytes, refuse }: Reading): void {
  const view = viewOf(bytes);
  const broken = () => refuse(`is an MP4 with a broken "${box.name}" box.`);
  const u32 = (offset: number) => (box.at + offset + 4 <= box.end ? view.getUint32(box.at + offset) : broken());
  const version = () => u32(0) >>> 24;
  const table = TABLES[box.name];
  if (table) {
    const fits = (box.end - box.at - table.count - 4) / table.entry(version());
    if (u32(table.count) > fits) refuse(`is an MP4 whose "${box.name}" box counts more entries than it has.`);
  }
  if (box.name === 'elst' && u32(4) > MOST_EDITS) refuse(`is an MP4 whose "elst" box has over ${MOST_EDITS} edits.`);
  if (box.name === 'mdhd' && track) track.timescale = u32(version() === 1 ? 20 : 12);
  if (box.name === 'mvhd' && u32(version() === 1 ? 20 : 12) === 0) refuse('is an MP4 of no time scale ("mvhd").');
  if (box.name === 'stts' && track) addTimes(track, u32);
  if ((box.name === 'stsz' || box.name === 'stz2') && track) track.samples = sampleCount(fileBytes, box, u32, refuse);
  if (box.name === 'trun' && u32(4) > runRoom(box, u32, fileBytes))
    refuse('is an MP4 whose "trun" box counts more samples than it has.');
}

function addTimes(track: Track, u32: (offset: number) => number): void {
  const entries = u32(4);
  for (let i = 0; i < entries; i++) {
    const count = u32(8 + i * 8);
    track.timed += count;
    track.ticks += count * u32(12 + i * 8);
  }
}

/** A size for all of them needs no table: then the file bounds how many there can be. */
function sampleCount(fileBytes: number, box: Box, u32: (offset: number) => number, refuse: Refuse): number {
  const count = u32(8);
  const isCompact = box.name === 'stz2';
  const each = isCompact ? 0 : u32(4);
  const bits = isCompact ? u32(4) & 255 : 32;
  const fits = each > 0 ? fileBytes / each : ((box.end - box.at - 12) * 8) / bits;
  if (!(count <= fits)) refuse(`is an MP4 whose "${box.name}" box counts more samples than the file can hold.`);
  return count;
}

/** Most samples of a run: by its entries where it has any, else one for each byte of the file. */
function runRoom(box: Box, u32: (offset: number) => number, fileBytes: number): number {
  const flags = u32(0) & 0xffffff;
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  const head = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  return fields > 0 ? (box.end - box.at - head) / (fields * 4) : fileBytes;
}
