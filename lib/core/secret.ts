/** A secret that may rotate while the process runs. */
export interface Secret {
  current(): Promise<string>
  /** Reads it again after the current value was refused; null if there is no other value. */
  refresh(): Promise<string | null>
}

/** A secret that never rotates. */
export function fixedSecret(value: string): Secret {
  return { current: async () => value, refresh: async () => null }
}
