/**
 * An email address as people are shown it: a domain with letters beyond ASCII in punycode (`xn--...`), because such letters may look like
 * other ones (UTS #39 §4). It is the same address, and is accepted as such.
 */
export function displayAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  if (at === 0 || /^\p{ASCII}*$/u.test(domain)) return address
  return address.slice(0, at) + (URL.parse(`http://${domain}`)?.hostname ?? domain)
}
