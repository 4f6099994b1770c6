/**
 * An email address for display. If the domain has letters beyond ASCII, it is shown in punycode (`xn--...`), because such letters can look
 * like others (UTS #39 §4). The displayed address is equivalent and is accepted as input.
 */
export function displayAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  if (at === 0 || /^\p{ASCII}*$/u.test(domain)) return address
  return address.slice(0, at) + (URL.parse(`http://${domain}`)?.hostname ?? domain)
}
