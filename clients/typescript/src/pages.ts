/** Lists that have pages. */

/** Every page of a list of the documented paths: `for await (const page of pages((after) => api.videos({ after })))`. */
export async function* pages<Page extends { next?: string | undefined }>(
  read: (after?: string) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield page;
    after = page.next;
  } while (after);
}
