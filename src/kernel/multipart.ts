/** What forms with a file may hold (`@fastify/multipart`): read whole into the body, a file as its bytes. */
import { LIMITS } from './limits.ts';

const FIELDS = 8;
const FIELD_BYTES = 2_048;

/** Limits of a multipart form with a file. */
export const UPLOAD_FORM = {
  attachFieldsToBody: 'keyValues',
  limits: { files: 1, fields: FIELDS, parts: FIELDS + 1, fieldSize: FIELD_BYTES, fileSize: LIMITS.uploadBytes },
} as const;

/** Limits of a multipart form with a recording. */
export const RECORDING_FORM = {
  attachFieldsToBody: 'keyValues',
  limits: { files: 1, fields: FIELDS, parts: FIELDS + 1, fieldSize: FIELD_BYTES, fileSize: LIMITS.spokenBytes },
} as const;
