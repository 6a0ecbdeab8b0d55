import { Field, ID, Int, ObjectType } from 'type-graphql';
import { EpochMillis, Url } from './scalars.ts';

@ObjectType({ description: 'Leave to send one image, recording or video; what is not used within a day is deleted.' })
export class PendingUpload {
  @Field(() => ID)
  uploadId: string;

  @Field(() => Url, {
    description: 'PUT the bytes here within the hour, once; the answer is `{ url }`. The address is the permission.',
  })
  uploadUrl: string;

  @Field(() => Int)
  maxBytes: number;

  @Field(() => EpochMillis)
  expiresAt: number;
}

@ObjectType({ description: 'A file of yours that is not used yet.' })
export class UploadedImage {
  @Field(() => Url, { description: 'Valid wherever the address of such a file is asked for, for a day.' })
  url: string;
}
