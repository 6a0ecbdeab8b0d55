/** What forms with a file may hold (`@fastify/multipart`). */
import { LIMITS } from './limits.ts';

const FIELDS = 8;
const FIELD_BYTES = 2_048;
const PARTS = { files: 1, fields: FIELDS, parts: FIELDS + 1, fieldSize: FIELD_BYTES };

/** What a form has beside its file, at most: names, fields and the lines between them. */
export const FORM_BYTES = 64 * 1024;

/** Limits of a form with a file that is read as it comes; its reader counts the bytes. */
export const UPLOAD_FORM = { limits: { ...PARTS, fileSize: LIMITS.uploadBytes + 1 } } as const;

/** Limits of a form with a recording, read whole into the body. */
export const RECORDING_FORM = {
  attachFieldsToBody: 'keyValues',
  limits: { ...PARTS, fileSize: LIMITS.spokenBytes },
} as const;
