/** What the name of the record has before the domain. */
const PROOF_LABEL = '_domain-proof'

/** Letters, digits and hyphens, at least two labels, and no number as the last: that would be an IPv4 address (RFC 1123 §2.1). */
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What a host in a URL may have, and a domain may not. */
const FOREIGN = /[\s%/\\?#@:[\]]/

/** 253 characters with the label of the proof before it (RFC 1035 §2.3.4). */
const MAX_LENGTH = 253 - PROOF_LABEL.length - 1

/** A domain in lower case and ASCII (IDNA), without the dot at its end; undefined if the text is not a domain. */
export function parseDomainName(text: string): string | undefined {
  if (FOREIGN.test(text)) return undefined
  const name = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '') ?? ''
  return name.length <= MAX_LENGTH && NAME.test(name) ? name : undefined
}

/** The domain of an email address, as `parseDomainName` writes it. */
export function domainOfAddress(email: string): string | undefined {
  return parseDomainName(email.slice(email.lastIndexOf('@') + 1))
}

/** The full name of the TXT record that proves a domain. */
export function proofNameOf(domain: string): string {
  return `${PROOF_LABEL}.${domain}`
}
