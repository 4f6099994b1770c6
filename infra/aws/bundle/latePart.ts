/**
 * The exports of a part of a bundle, by name, as if they were imported. The part is read and evaluated when the first of them is used:
 * when a command is made, or something of a client is asked for. A client itself, which is made while a function starts, is not enough.
 * @param file the part, beside the module at the URL `base`
 * @throws what the part throws, at the first use
 */
export function latePart(file: string, base: string): (name: string) => object {
  let loaded: object | undefined
  const exported = (name: string) => {
    // Loads an ES module at once: an `import()` would make every call wait.
    loaded ??= process.getBuiltinModule('node:module').createRequire(base)(file)
    return member(loaded, name)
  }
  return (name) => {
    const real = () => exported(name)
    const isClient = /Client$|^default$/.test(name)
    return new Proxy(function late() {}, {
      apply: (_, self, args) => Reflect.apply(asFunction(real()), self, args),
      construct: (_, args) => {
        const make = () => Reflect.construct(asFunction(real()), args)
        return isClient ? lateInstance(make) : make()
      },
      get: (_, key) => {
        // Nothing is an instance of what is not loaded.
        if (key === Symbol.hasInstance && loaded === undefined) return () => false
        // The factories that clients are made with.
        if (isClient && (key === 'from' || key === 'createFetchHttpClient')) {
          return (...args: readonly unknown[]) =>
            lateInstance(() => Reflect.apply(Reflect.get(real(), key), real(), args))
        }
        return Reflect.get(real(), key)
      },
    })
  }
}

/** An object that is made when something of it is asked for; `then` is not: what is awaited is no promise. */
function lateInstance(make: () => object): object {
  let made: object | undefined
  const instance = (): object => {
    made ??= make()
    return made
  }
  return new Proxy(
    {},
    {
      get(_, key) {
        if (made === undefined && key === 'then') return undefined
        const value = Reflect.get(instance(), key)
        return typeof value === 'function' ? value.bind(made) : value
      },
      // The SDK's paginators look at the class of their client.
      getPrototypeOf: () => Reflect.getPrototypeOf(instance()),
    },
  )
}

/** @throws Error where there is none */
function member(whole: object | undefined, name: string): object {
  const value = whole && Reflect.get(whole, name)
  if (value === undefined) throw new Error(`${name} is not in this part of the bundle`)
  return value
}

/** @throws Error where it is none */
function asFunction(value: object) {
  if (typeof value !== 'function') throw new Error('not a function in this part of the bundle')
  return value
}
