/** Mails with one link each: that an address is confirmed, a password set, an address taken. */
import { escapeText } from '../text/escape.ts';
import type { Mail } from './mailer.ts';

/**
 * Names that a mail may greet: letters alone. A user who signs up with another's address also chooses the name, and mail
 * programs make a link of anything like one.
 */
const GREETABLE = /^[\p{L}\p{M}][\p{L}\p{M}' ’-]{0,39}$/u;

/** The link of a mail, and how long it works. */
export interface MailedLink {
  to: string;
  displayName: string | null;
  /** Where the link leads; it carries the token. */
  link: string;
  siteUrl: string;
}

interface Words {
  subject: string;
  /** Why the mail was sent. */
  why: string;
  /** What the link is for, and how long it works. */
  what: string;
  label: string;
  /** What to do when it was not asked for. */
  otherwise: string;
}

const mailOf =
  (wordsFor: (host: string) => Words) =>
  ({ to, displayName, link, siteUrl }: MailedLink): Mail => {
    const { subject, why, what, label, otherwise } = wordsFor(new URL(siteUrl).host);
    const greeting = displayName && GREETABLE.test(displayName) ? `Hello ${displayName},` : 'Hello,';
    const shown = (text: string): string => `<p>${escapeText(text)}</p>`;
    const anchor = `<p><a href="${escapeText(link)}">${escapeText(label)}</a></p>`;
    return {
      to,
      subject,
      text: [greeting, why, `${what}\n${link}`, otherwise].join('\n\n'),
      html: `<!doctype html><html lang="en"><body>${shown(greeting)}${shown(`${why} ${what}`)}${anchor}${shown(otherwise)}</body></html>`,
    };
  };

/** Asks to confirm an address. */
export const verificationMail = mailOf((host) => ({
  subject: `Confirm your e-mail address for ${host}`,
  why: `an account at ${host} was made with this e-mail address.`,
  what: 'Confirm within 24 hours that the address and the account are yours:',
  label: 'Confirm my e-mail address',
  otherwise: 'You made no account? Then do nothing: the address stays unconfirmed.',
}));

/** Lets a user choose a new password. */
export const resetMail = mailOf((host) => ({
  subject: `A new password for ${host}`,
  why: `a new password was requested for your account at ${host}.`,
  what: 'Set it within 30 minutes; you are signed out everywhere then:',
  label: 'Set a new password',
  otherwise: 'It was not you? Then do nothing: your password stays as it is.',
}));

/** Asks the new address to confirm that it becomes the account's. */
export const changeMail = mailOf((host) => ({
  subject: `Confirm your new e-mail address for ${host}`,
  why: `this is to be the new e-mail address of an account at ${host}.`,
  what: 'Confirm within 24 hours that the address and the account are yours:',
  label: 'Use this address',
  otherwise: 'It was not you? Then do nothing: the account keeps its address.',
}));
