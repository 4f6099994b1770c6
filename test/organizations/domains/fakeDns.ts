import type { LookUpTxt } from '../../../lib/organizations/domains/ports.ts'

interface Played {
  readonly values: readonly string[]
  readonly fails: boolean
}

/** Name servers for TXT records; `test/adapters/dns/txtResolver.test.ts` holds it to the real answers. */
export function createFakeDns() {
  const played = new Map<string, Played>()
  const lookUpTxt: LookUpTxt = async (name) => {
    const found = played.get(name.toLowerCase())
    return found?.fails ? { kind: 'no_answer' } : { kind: 'answered', values: found?.values ?? [] }
  }
  return {
    lookUpTxt,
    set(name: string, records: Played) {
      played.set(name, records)
    },
  }
}
