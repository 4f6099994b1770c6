/** A failure that a test ordered: of a call that was not made, or of one whose answer was lost. */
export class OrderedFault extends Error {
  override readonly name = 'OrderedFault'
}

/** Where to fail: at the call of this number, counted from 0 over all ports, before or after it has its effect. */
export interface FaultAt {
  readonly call: number
  readonly when: 'before' | 'after'
}

/** Ports whose asynchronous calls are counted, and fail where `fault` says so. What is no function stays as it is. */
export function faultyDeps<Deps extends object>(deps: Deps, fault: FaultAt | undefined, only: readonly (keyof Deps)[]) {
  const calls: string[] = []
  const wrap = <Port extends object>(port: Port, portName: string): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver)
        if (typeof member !== 'function') return member
        return async (...given: unknown[]) => {
          const isHere = calls.length === fault?.call
          calls.push(`${portName}.${String(name)}`)
          if (isHere && fault?.when === 'before') throw new OrderedFault()
          const result: unknown = await Reflect.apply(member, target, given)
          if (isHere) throw new OrderedFault()
          return result
        }
      },
    })
  const wrapped = new Proxy(deps, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      const isWrapped = only.some((port) => port === name) && typeof member === 'object' && member !== null
      return isWrapped ? wrap(member, String(name)) : member
    },
  })
  return { deps: wrapped, calls: () => calls, wasReached: () => fault !== undefined && calls.length > fault.call }
}
