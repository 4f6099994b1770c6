import { randomUUID } from 'node:crypto'

/** Words that must not be printed, whatever becomes of what they stand in. */
export class Canaries {
  readonly #planted = new Map<string, string>()

  /** A word of its own, to be planted; `prefix` makes it look like what it stands for: `cus_`. */
  make(what: string, prefix = ''): string {
    return this.add(what, `${prefix}canary${randomUUID().replaceAll('-', '').slice(0, 16)}`)
  }

  /** A secret that exists already. */
  add(what: string, secret: string): string {
    if (secret.length < 8) throw new Error(`${what} is too short to be recognized`)
    this.#planted.set(secret, what)
    return secret
  }

  get size(): number {
    return this.#planted.size
  }

  /** What was printed of them, as it is or encoded: `what: line`. */
  foundIn(lines: readonly string[]): string[] {
    const found = [...this.#planted].flatMap(([secret, what]) => {
      const shapes = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')]
      return lines.filter((line) => shapes.some((shape) => line.includes(shape))).map((line) => `${what}: ${line}`)
    })
    return [...new Set(found)]
  }
}
