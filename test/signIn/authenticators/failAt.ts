import { CommonError } from '../../../lib/core/errors.ts'

/** `before`: the call does nothing and fails. `after`: it takes effect, and its answer is lost. */
export type Moment = 'before' | 'after'

/**
 * The same dependencies, of which the `at`th asynchronous call fails, and counts them. What fails is what a caller sees of a crash: nothing
 * after that call happens.
 */
export function failAt<Deps extends object>(
  deps: Deps,
  at: number,
  moment: Moment,
): { deps: Deps; calls: () => number } {
  let calls = 0
  const unavailable = () => new CommonError('service_unavailable', { message: 'fault' })
  const wrapPort = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const method: unknown = Reflect.get(target, name, receiver)
        if (typeof method !== 'function') return method
        return (...input: unknown[]): unknown => {
          const isFaulty = () => {
            calls += 1
            return calls === at
          }
          if (method.constructor.name === 'AsyncFunction' || returnsPromises.has(String(name))) {
            const fails = isFaulty()
            if (fails && moment === 'before') return Promise.reject(unavailable())
            const result = Promise.resolve(Reflect.apply(method, target, input))
            return fails ? result.then(() => Promise.reject(unavailable())) : result
          }
          return Reflect.apply(method, target, input)
        }
      },
    })
  const wrapped = new Proxy(deps, {
    get(target, name, receiver) {
      const port: unknown = Reflect.get(target, name, receiver)
      return typeof port === 'object' && port !== null ? wrapPort(port) : port
    },
  })
  return { deps: wrapped, calls: () => calls }
}

/** Methods of ports that are no async functions and return promises all the same. */
const returnsPromises = new Set(['encrypt', 'decrypt', 'find', 'findPending'])
