/** The mail that asks whether an address is the one of whoever made an account with it. */
import { escapeText } from '../text/escape.ts';
import type { Mail } from './mailer.ts';

/**
 * What may be greeted: letters alone. Whoever signs up with somebody else's address also chooses the name, and mail
 * programs make a link of anything like one.
 */
const GREETABLE = /^[\p{L}\p{M}][\p{L}\p{M}' ’-]{0,39}$/u;

export interface VerificationLink {
  to: string;
  displayName: string | null;
  /** Where the link leads; it carries the token. */
  link: string;
  siteUrl: string;
}

export function verificationMail({ to, displayName, link, siteUrl }: VerificationLink): Mail {
  const { host } = new URL(siteUrl);
  const greeting = displayName && GREETABLE.test(displayName) ? `Hello ${displayName},` : 'Hello,';
  const why = `an account at ${host} was made with this e-mail address.`;
  const what = 'Confirm within 24 hours that the address and the account are yours:';
  const otherwise = 'You made no account? Then do nothing: the address stays unconfirmed.';
  const shown = (text: string): string => `<p>${escapeText(text)}</p>`;
  const anchor = `<p><a href="${escapeText(link)}">Confirm my e-mail address</a></p>`;
  return {
    to,
    subject: `Confirm your e-mail address for ${host}`,
    text: [greeting, why, `${what}\n${link}`, otherwise].join('\n\n'),
    html: `<!doctype html><html lang="en"><body>${shown(greeting)}${shown(`${why} ${what}`)}${anchor}${shown(otherwise)}</body></html>`,
  };
}
