import { createHash } from 'node:crypto'

/** The id of an audit entry: a UUID of version 8 (RFC 9562 §5.8) made from a text, so that the same change has the same entry. */
export function entryId(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
}
