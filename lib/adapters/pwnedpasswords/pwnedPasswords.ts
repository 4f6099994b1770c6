import { createHash } from 'node:crypto'
import { CommonError } from '../../core/errors.ts'
import type { PwnedPasswords } from '../../users/ports.ts'

/** A person waits for the answer; it is not worth a longer wait. */
const BUDGET_MS = 1000

/** How much of the digest is sent: hundreds of passwords share it, and so does every answer. */
const PREFIX_LENGTH = 5

/**
 * The range API of Have I Been Pwned, or a compatible API: `GET /range/<first five hex digits of SHA-1>` answers `<the other 35>:<count>`
 * lines. `Add-Padding` fills the answer up with digests of count 0, so that not even its size reveals the requested range.
 */
export function createPwnedPasswords(baseUrl: string): PwnedPasswords {
  return {
    async has(password) {
      const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
      const url = new URL(`range/${digest.slice(0, PREFIX_LENGTH)}`, `${baseUrl.replace(/\/+$/, '')}/`)
      const answer = await fetch(url, {
        headers: { 'Add-Padding': 'true', 'User-Agent': 'console-backend' },
        redirect: 'error',
        signal: AbortSignal.timeout(BUDGET_MS),
      })
      if (!answer.ok)
        throw new CommonError('service_unavailable', { message: `range request answered ${answer.status}` })
      return countOf(digest.slice(PREFIX_LENGTH), await answer.text()) > 0
    },
  }
}

function countOf(suffix: string, lines: string): number {
  const line = lines.split(/\r?\n/).find((candidate) => candidate.toUpperCase().startsWith(`${suffix}:`))
  return Number(line?.slice(suffix.length + 1) ?? 0)
}
