import { StripeFault } from './errors.ts'
import { apiVersion } from './wire.ts'

/** What a request may ask for that Stripe has and the emulator does not. */
type Uncovered = 'version' | 'operation' | 'parameter' | 'value'

const script = 'script the answer by POST /_emulator/faults with the kind status'

const remedies: Record<Uncovered, string> = {
  version: `Send ${apiVersion}, or accept the version by --api-version or the setting api_versions: it is answered in the shapes of ${apiVersion}.`,
  operation: `Reach the state by another operation of coverage.txt, or ${script}.`,
  parameter: `Leave the parameter out, or ${script}; coverage.txt lists what is taken.`,
  value: `Send another value, or ${script}.`,
}

/**
 * What Stripe can do and the emulator cannot (yet): 501, never saved under a key. `what` is said with the way out, and `param` names the
 * parameter to blame, nested as `a[b]`.
 */
export function notCovered(kind: Uncovered, what: string, param?: string): StripeFault {
  const message = `Not covered by this emulator: ${what}. ${remedies[kind]}`
  return new StripeFault(501, { type: 'api_error', code: `unsupported_${kind}`, message, ...(param && { param }) })
}
