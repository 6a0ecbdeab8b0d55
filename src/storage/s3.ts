/**
 * Media in an S3-compatible bucket (AWS, MinIO, R2, Ceph). One PUT is all or nothing by S3's own rules and a listing
 * shows it at once, which is all the fragments need. It never makes a bucket and never changes one's settings.
 */
import { Readable } from 'node:stream';
import type { CompletedPart, S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { onDemand } from '../kernel/on-demand.ts';
import { type ByteRange, contentTypeOf, type MediaContent, type ObjectStore } from './objects.ts';

const sdk = onDemand<typeof import('@aws-sdk/client-s3')>('@aws-sdk/client-s3');

const REMOVALS_AT_ONCE = 16;
const MAX_SOCKETS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Fewer than the SDK's three, so that a caller who waits for a file gets the error sooner; jobs retry for long anyway. */
const MAX_ATTEMPTS = 2;
/** What a store takes at least of what is sent to it. */
const BYTES_PER_MS = 256;
/** Of a file that comes piece by piece. A bucket takes 10 000 parts, some buckets only parts of one size. */
const PART_BYTES = 16 * 1024 * 1024;
/** How often the time for an answer a whole file may take to come. */
const WHOLE_FILE = 6;

interface Location {
  bucket: string;
  /** Empty, or ends in a slash. */
  prefix: string;
  client: S3ClientConfig;
}

/**
 * Reads `s3://bucket/prefix?endpoint=https://...&region=...`. Credentials may stand in the address
 * (`s3://id:secret@bucket`); else the AWS SDK finds them in its usual places (AWS_ACCESS_KEY_ID, profiles, roles).
 */
function readLocation(mediaUrl: string, answerMs: number): Location {
  const url = new URL(mediaUrl);
  if (url.protocol !== 's3:' || !url.hostname) throw new Error('MEDIA_URL must look like s3://bucket/prefix.');
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  const endpoint = url.searchParams.get('endpoint');
  const credentials = url.username && {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
  return {
    bucket: url.hostname,
    prefix: prefix && `${decodeURIComponent(prefix)}/`,
    client: {
      region: url.searchParams.get('region') ?? 'us-east-1',
      // Servers other than AWS rarely answer at bucket.host, nor do all know the newer checksums.
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      ...(credentials ? { credentials } : {}),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: MAX_ATTEMPTS,
      // The SDK's own limit of 50 sockets would let 50 slow viewers stop every write of the process.
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: answerMs,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: MAX_SOCKETS },
        httpsAgent: { maxSockets: MAX_SOCKETS },
      },
    },
  };
}

async function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404) return undefined;
    throw error;
  }
}

/** The total of `bytes 0-99/1234`; a whole answer has none, and its length is the total. */
function totalSize(answer: { ContentRange?: string; ContentLength?: number }): number {
  return Number(answer.ContentRange?.split('/')[1] ?? answer.ContentLength ?? 0);
}

/** Pieces as parts of exactly so many bytes, but for the last. One buffer serves all: take a part before asking for the next. */
async function* inParts(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafe(bytes);
  let filled = 0;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const taken = Math.min(bytes - filled, piece.length - from);
      part.set(piece.subarray(from, from + taken), filled);
      filled += taken;
      from += taken;
      if (filled < bytes) continue;
      yield part;
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

/** A body that fails where the bucket sends nothing more of it for so long, counted while its reader waits: a slow one has its time. */
function patient(body: Readable, longestMs: number): Readable {
  const late = () => body.destroy(Object.assign(new Error('The bucket stopped sending.'), { code: 'ETIMEDOUT' }));
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let timer = setTimeout(late, longestMs);
    try {
      for await (const piece of body) {
        clearTimeout(timer);
        yield piece;
        timer = setTimeout(late, longestMs);
      }
    } finally {
      clearTimeout(timer);
    }
  }
  // Its reader gets the error from `pieces`; before there is one it must not end the process.
  body.on('error', () => {});
  const read = Readable.from(pieces(), { objectMode: false });
  // Pieces that were never asked for do not end the body by themselves.
  read.once('close', () => body.destroy());
  return read;
}

class S3Objects implements ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #answerMs: number;

  constructor({ bucket, prefix, client }: Location, answerMs: number) {
    this.#answerMs = answerMs;
    this.#client = new (sdk().S3Client)(client);
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  #at(key: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  async write(
    key: string,
    content: MediaContent,
    ContentType: string,
    _durable: boolean,
    allowed?: Promise<unknown>,
  ): Promise<void> {
    await allowed;
    if (!(content instanceof Uint8Array)) return this.#writeParts(key, content, ContentType);
    const command = new (sdk().PutObjectCommand)({ ...this.#at(key), Body: content, ContentType });
    await this.#client.send(command, this.#patience(content));
  }

  /** No reader sees a part before all are there; those of a broken upload are aborted. */
  async #writeParts(key: string, pieces: AsyncIterable<Uint8Array>, ContentType: string): Promise<void> {
    const { UploadId } = await this.#client.send(
      new (sdk().CreateMultipartUploadCommand)({ ...this.#at(key), ContentType }),
    );
    const upload = { ...this.#at(key), UploadId };
    try {
      const Parts: CompletedPart[] = [];
      for await (const Body of inParts(pieces, PART_BYTES)) {
        const PartNumber = Parts.length + 1;
        const command = new (sdk().UploadPartCommand)({ ...upload, PartNumber, Body });
        const { ETag } = await this.#client.send(command, this.#patience(Body));
        Parts.push({ PartNumber, ETag });
      }
      await this.#client.send(new (sdk().CompleteMultipartUploadCommand)({ ...upload, MultipartUpload: { Parts } }));
    } catch (error) {
      await this.#client.send(new (sdk().AbortMultipartUploadCommand)(upload)).catch(() => {});
      throw error;
    }
  }

  /** An answer comes when all is there. */
  #patience({ length }: Uint8Array): { requestTimeout: number } {
    return { requestTimeout: this.#answerMs + length / BYTES_PER_MS };
  }

  async stat(key: string) {
    const answer = await orAbsent(this.#client.send(new (sdk().HeadObjectCommand)(this.#at(key))));
    return answer && { size: totalSize(answer), contentType: contentTypeOf(key), etag: answer.ETag ?? '""' };
  }

  async open(key: string, range?: ByteRange) {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const answer = await orAbsent(this.#client.send(new (sdk().GetObjectCommand)({ ...this.#at(key), Range })));
    if (!answer?.Body) return undefined;
    const facts = { size: totalSize(answer), contentType: contentTypeOf(key), etag: answer.ETag ?? '""' };
    return { ...facts, body: patient(answer.Body as Readable, this.#answerMs) };
  }

  async bytes(key: string): Promise<Uint8Array | undefined> {
    const abortSignal = AbortSignal.timeout(this.#answerMs * WHOLE_FILE);
    const answer = await orAbsent(this.#client.send(new (sdk().GetObjectCommand)(this.#at(key)), { abortSignal }));
    return answer?.Body?.transformToByteArray();
  }

  async list(folder: string): Promise<string[]> {
    const names: string[] = [];
    const start = this.#prefix.length + folder.length;
    for await (const key of this.#keys(folder, '/')) names.push(key.slice(start));
    return names;
  }

  async remove(key: string): Promise<void> {
    await orAbsent(this.#client.send(new (sdk().DeleteObjectCommand)(this.#at(key))));
  }

  // One by one, some at a time: DeleteObjects wants a checksum on whose kind S3-compatible servers disagree.
  async removeFolder(folder: string): Promise<void> {
    let batch: string[] = [];
    const removeBatch = () => Promise.all(batch.map((key) => this.remove(key)));
    for await (const key of this.#keys(folder)) {
      batch.push(key.slice(this.#prefix.length));
      if (batch.length < REMOVALS_AT_ONCE) continue;
      await removeBatch();
      batch = [];
    }
    await removeBatch();
  }

  async missing(abortSignal: AbortSignal): Promise<readonly ('storage' | 'disk')[]> {
    await this.#client.send(new (sdk().HeadBucketCommand)({ Bucket: this.#bucket }), { abortSignal });
    return [];
  }

  /** Full keys below a folder, page by page. */
  async *#keys(folder: string, delimiter?: string): AsyncGenerator<string> {
    let page: string | undefined;
    do {
      const answer = await this.#client.send(
        new (sdk().ListObjectsV2Command)({
          Bucket: this.#bucket,
          Prefix: this.#prefix + folder,
          Delimiter: delimiter,
          ContinuationToken: page,
        }),
      );
      for (const item of answer.Contents ?? []) if (item.Key) yield item.Key;
      page = answer.NextContinuationToken;
    } while (page);
  }
}

/**
 * Keeps media in the bucket that `MEDIA_URL` names. Throws a sentence when the address is not of this kind.
 * @param answerMs how long the beginning of an answer may take
 */
export function s3Objects(mediaUrl: string, answerMs: number): ObjectStore {
  return new S3Objects(readLocation(mediaUrl, answerMs), answerMs);
}
