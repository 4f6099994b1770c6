/** The exports of a part of a bundle, which is read and evaluated for the first of them. */
export interface Part {
  /** @throws what the part throws; Error for what it does not export */
  exported(name: string): object
  isLoaded(): boolean
}

/** @param file the part, beside the module at the URL `base` */
export function openPart(file: string, base: string): Part {
  let loaded: object | undefined
  function load(): object {
    if (loaded !== undefined) return loaded
    // Loads an ES module at once: an `import()` would make every call wait.
    const exports: object = process.getBuiltinModule('node:module').createRequire(base)(file)
    loaded = exports
    return exports
  }
  return { exported: (name) => member(load(), name), isLoaded: () => loaded !== undefined }
}

/** @throws Error where there is none */
export function member(whole: object, key: PropertyKey): object {
  const value = Reflect.get(whole, key)
  if (value === undefined) throw new Error(`${String(key)} is not in this part of the bundle`)
  return value
}

/** @throws Error where it is none */
export function asFunction(value: object) {
  if (typeof value !== 'function') throw new Error('not a function in this part of the bundle')
  return value
}
