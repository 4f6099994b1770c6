import type { Enter } from '../proof/world/orders/gate.ts'

/** A port of which every call passes the gate, as `name.method`; `failure` is what the caller gets if the call came to nothing. */
export function gated<Port extends object>(name: string, port: Port, enter: Enter, failure: () => unknown): Port {
  return new Proxy(port, {
    get(target, method) {
      const call: unknown = Reflect.get(target, method)
      if (typeof call !== 'function') return call
      return (...args: unknown[]) => enter(`${name}.${String(method)}`, async () => call.apply(target, args), failure)
    },
  })
}
