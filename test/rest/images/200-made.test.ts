/** POST /images/generate and /images/edit that are done: what is answered, which model is asked, and what it costs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import {
  ada,
  balance,
  closeImages,
  drawn,
  edit,
  face,
  generate,
  imageModel,
  openImages,
  t,
  usualAnswers,
} from '../../support/images.ts';

beforeAll(openImages);
afterAll(closeImages);
beforeEach(usualAnswers);

describe('POST /images/generate', () => {
  test('answers the documented body; the address is public, long-lived and a real image', async () => {
    const { status, body } = await generate({ prompt: 'A quiet harbour', aspectRatio: '16:9' });
    expect(status).toBe(200);
    expect(body).toEqual({
      imageUrl: expect.stringMatching(new RegExp(`^${t.app.config.BASE_URL}/media/images/pic_\\w+-1\\.jpg\\?s=`)),
      aspectRatio: '16:9',
      creditCost: 0.005,
      model: 'default',
    });
    expect(body.imageUrl).not.toContain('e=');
    const file = await fetch(body.imageUrl);
    expect(file.headers.get('content-type')).toBe('image/jpeg');
    expect(await sharp(Buffer.from(await file.arrayBuffer())).metadata()).toMatchObject({ width: 64, height: 48 });
    expect(imageModel.calls).toMatchObject([
      { model: 'default', prompt: 'A quiet harbour', aspectRatio: '16:9', files: undefined },
    ]);
  });

  test('2000 characters pass, counted as code points', async () => {
    expect((await generate({ prompt: '🙂'.repeat(2000) })).status).toBe(200);
  });

  test.each<[string, object, string, number]>([
    ['double quotes', { prompt: 'A sign "OPEN"' }, 'typo_gen', 0.015],
    ['curly quotes', { prompt: 'A sign “OPEN”' }, 'typo_gen', 0.015],
    ['words by the wording', { prompt: 'A sign that says open' }, 'typo_gen', 0.015],
    ['no words', { prompt: 'A man reads a book' }, 'default', 0.005],
    ['the caller’s choice over quotes', { prompt: 'A sign "OPEN"', model: 'default' }, 'default', 0.005],
    ['the caller’s choice without quotes', { prompt: 'A boat', model: 'typo_gen' }, 'typo_gen', 0.015],
  ])('%s', async (_, body, model, creditCost) => {
    expect((await generate(body)).body).toMatchObject({ model, creditCost });
    expect(imageModel.calls[0]!.model).toBe(model);
  });

  test('a configured chat model finds what no rule sees; its failure leaves the wording', async () => {
    imageModel.chat = async () => '"Bakery Aurora"';
    expect((await generate({ prompt: 'A shop front for Aurora, my bakery' })).body.model).toBe('typo_gen');
    expect(imageModel.calls[0]!.prompt).toBe('A shop front for Aurora, my bakery, with the words "Bakery Aurora"');
    imageModel.chat = async () => {
      throw new Error('chat: down');
    };
    expect((await generate({ prompt: 'A shop front for Aurora, my bakery' })).body.model).toBe('default');
  });

  test('the price is held while it is drawn and charged once, under its label', async () => {
    const before = await balance();
    let during: { available: number; held: number } | undefined;
    imageModel.draw = async () => {
      during = await balance();
      return {};
    };
    await generate({ prompt: 'A boat' });
    expect(during!.held).toBe(0.005);
    expect(await balance()).toEqual({ available: expect.closeTo(before.available - 0.005, 6), held: 0 });
    const { body } = await t.graphql<any>(
      '{ ledgerEntries(first: 1) { nodes { kind amount sourceRef } } }',
      {},
      ada.session,
    );
    expect(body.data.ledgerEntries.nodes[0]).toMatchObject({ kind: 'svc-image', amount: -0.005 });
  });

  test('an Idempotency-Key gives the same image again and charges once', async () => {
    const before = await balance();
    const key = { 'idempotency-key': 'image-1' };
    const first = await generate({ prompt: 'A boat' }, ada.apiKey, key);
    const again = await generate({ prompt: 'A boat' }, ada.apiKey, key);
    expect(again.body).toEqual(first.body);
    expect((await generate({ prompt: 'A ship' }, ada.apiKey, key)).status).toBe(422);
    expect(imageModel.calls).toHaveLength(1);
    expect((await balance()).available).toBeCloseTo(before.available - 0.005, 6);
  });
});

describe('POST /images/edit', () => {
  test('takes one address or up to five, in order; keeps the proportions unless asked', async () => {
    const { status, body } = await edit({ prompt: 'Make it grey', imageUrl: face() });
    expect([status, body]).toEqual([
      200,
      { imageUrl: expect.any(String), aspectRatio: 'match_input_image', creditCost: 0.01, model: 'default' },
    ]);
    expect(imageModel.calls[0]).toMatchObject({ model: 'default', aspectRatio: undefined, files: [{ type: 'file' }] });
    await edit({ prompt: 'Blend them', images: Array(5).fill(face()), aspectRatio: '3:2' });
    expect(imageModel.calls[1]).toMatchObject({ aspectRatio: '3:2' });
    expect(imageModel.calls[1]!.files).toHaveLength(5);
  });

  test.each<[string, object, number, string, number]>([
    ['quoted words and two references', { prompt: 'Add "HELLO"' }, 2, 'typo_edit', 0.03],
    ['quoted words and three references', { prompt: 'Add "HELLO"' }, 3, 'default', 0.01],
    ['words by the wording', { prompt: 'Put the caption hello there below' }, 1, 'typo_edit', 0.03],
    ['no words', { prompt: 'Make it grey' }, 1, 'default', 0.01],
    ['the caller’s choice', { prompt: 'Add "HELLO"', model: 'default' }, 1, 'default', 0.01],
  ])('%s', async (_, body, count, model, creditCost) => {
    expect((await edit({ ...body, images: Array(count).fill(face()) })).body).toMatchObject({ model, creditCost });
  });

  test('our own addresses come from storage; a private medium only while its link holds', async () => {
    await t.app.store.put(
      'private/secret.jpg',
      await sharp(await drawn(9, 9))
        .jpeg()
        .toBuffer(),
      {
        contentType: 'image/jpeg',
      },
    );
    const signed = t.app.links.sign('private/secret.jpg');
    expect((await edit({ prompt: 'grey', imageUrl: signed })).status).toBe(200);
    for (const url of [signed.replace(/s=.{5}/, 's=AAAAA'), signed.split('?')[0]!]) {
      expect((await edit({ prompt: 'grey', imageUrl: url })).body.error).toBe('imageUrl could not be fetched.');
    }
  });
});

test('how an image was drawn, with the words it was asked for by, is known to edits of its owner alone', async () => {
  const drawing = { prompt: 'My secret garden' };
  imageModel.draw = async () => ({ providerMetadata: { embedded: { images: [{ drawing }] } } });
  const { imageUrl } = (await generate({ prompt: drawing.prompt })).body;
  const bob = await t.person('Bob', 1);
  const seenBy = async (as: string) => {
    expect((await edit({ prompt: 'Make it blue', imageUrl }, as)).status).toBe(200);
    return imageModel.calls.at(-1)?.providerOptions?.embedded;
  };
  expect(await seenBy(ada.apiKey)).toEqual({ drawing });
  expect(await seenBy(bob.apiKey)).toEqual({});
});
