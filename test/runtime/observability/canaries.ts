import { randomUUID } from 'node:crypto'

/** Words that must never be printed, wherever they are planted. */
export class Canaries {
  readonly #planted = new Map<string, string>()

  /** A unique word to plant; `prefix` makes it look like the real value: `cus_`. */
  make(what: string, prefix = ''): string {
    return this.add(what, `${prefix}canary${randomUUID().replaceAll('-', '').slice(0, 16)}`)
  }

  /** Registers an existing secret. */
  add(what: string, secret: string): string {
    if (secret.length < 8) throw new Error(`${what} is too short to be recognized`)
    this.#planted.set(secret, what)
    return secret
  }

  get size(): number {
    return this.#planted.size
  }

  /** The canaries found in the output, plain or encoded: `what: line`. */
  foundIn(lines: readonly string[]): string[] {
    const found = [...this.#planted].flatMap(([secret, what]) => {
      const shapes = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')]
      return lines.filter((line) => shapes.some((shape) => line.includes(shape))).map((line) => `${what}: ${line}`)
    })
    return [...new Set(found)]
  }
}
