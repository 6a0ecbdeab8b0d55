/** The documented endpoints: Images. */
import { PAGE_INFO, type Route } from './route.ts';

const MADE_IMAGE = 'imageUrl aspectRatio creditCost model';

export const IMAGE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/images',
    section: 'Images',
    summary: 'List the images that you made.',
    operation: `query($first: Int, $after: String) { images(first: $first, after: $after) {
      nodes { imageId ${MADE_IMAGE} prompt operation createdAt } ${PAGE_INFO} } }`,
    body: 'data',
    list: 'images',
  },
  {
    method: 'POST',
    path: '/images/generate',
    section: 'Images',
    summary: 'Make an image from a text; charged after success.',
    operation: `mutation($input: GenerateImageInput!) { generateImage(input: $input) { ${MADE_IMAGE} } }`,
    body: 'root',
    idempotent: true,
  },
  {
    method: 'POST',
    path: '/images/edit',
    section: 'Images',
    summary: 'Edit or join one to five images; charged after success.',
    operation: `mutation($input: EditImageInput!) { editImage(input: $input) { ${MADE_IMAGE} } }`,
    body: 'root',
    idempotent: true,
  },
];
