/**
 * The exports of a part of a bundle, by name, as if they were imported. The part is read and evaluated when one of them is first used:
 * when code makes a command or uses a member of a client. Making a client does not load it, since functions do that while they start.
 * @param file the part, beside the module at the URL `base`
 * @throws when first used, whatever the part throws
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
        // If the part is not loaded, it has no instances yet.
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

/** An object that is made when code first reads a member. Reading `then` does not count: `await` does that with any object. */
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

function member(whole: object | undefined, name: string): object {
  const value = whole && Reflect.get(whole, name)
  if (value === undefined) throw new Error(`${name} is not in this part of the bundle`)
  return value
}

function asFunction(value: object) {
  if (typeof value !== 'function') throw new Error('not a function in this part of the bundle')
  return value
}
