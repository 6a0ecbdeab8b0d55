/**
 * Fills the form from the part of the address behind the `#`, which is then taken out of it: only with the demo account
 * of this instance, which signs the link that its start prints. Any other link could sign a visitor in as its maker.
 */
import { byId } from './lib/page.ts';

const given = new URLSearchParams(location.hash.slice(1));
const [email, password, proof] = ['email', 'password', 'proof'].map((name) => given.get(name));
if (email || password) history.replaceState(null, '', location.pathname + location.search);
if (email && password && proof) {
  const answer = await fetch(`${location.pathname}/demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, proof }),
  }).catch(() => undefined);
  if (answer?.status === 204) {
    byId<HTMLInputElement>('email').value = email;
    byId<HTMLInputElement>('password').value = password;
    byId('filled').hidden = false;
    byId('go').focus();
  }
}
