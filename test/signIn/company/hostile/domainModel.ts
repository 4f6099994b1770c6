const WEEK = 7 * 24 * 3_600_000

interface AddedDomain {
  isVerified: boolean
  membership: 'none' | 'offer' | 'join'
  /** Names the value of its record. */
  readonly proof: number
}

/** What the contract says of domains: who has which, in the course of time. */
export class DomainModel {
  now: number
  readonly #added = new Map<string, Map<string, AddedDomain>>()
  readonly #owned = new Map<string, { company: string; checkAt: number; failures: number }>()
  /** The proof in the zone of a domain, and whose it is. */
  readonly #zones = new Map<string, { company: string; proof: number }>()
  #count = 0

  constructor(now: number) {
    this.now = now
  }

  /** Another number. */
  next(): number {
    this.#count += 1
    return this.#count
  }

  /** The domains that a company has added. */
  domainsOf(name: string): Map<string, AddedDomain> {
    const added = this.#added.get(name) ?? new Map<string, AddedDomain>()
    this.#added.set(name, added)
    return added
  }

  holderOf(domain: string): string | undefined {
    return this.#owned.get(domain)?.company
  }

  verifiedDomainsOf(name: string): string[] {
    return [...this.#owned].flatMap(([domain, { company }]) => (company === name ? [domain] : []))
  }

  /** Whether the company's provider may speak for an address. */
  speaksFor(name: string, email: string | undefined): boolean {
    return email !== undefined && this.holderOf(email.slice(email.lastIndexOf('@') + 1)) === name
  }

  addDomain(name: string, domain: string): void {
    const domains = this.domainsOf(name)
    if (domains.has(domain)) return
    domains.set(domain, { isVerified: false, membership: 'none', proof: this.next() })
  }

  /** Whoever runs a zone publishes the proof of a company, or none. */
  publish(domain: string, name: string | undefined): void {
    const added = name === undefined ? undefined : this.domainsOf(name).get(domain)
    if (name === undefined || added === undefined) this.#zones.delete(domain)
    else this.#zones.set(domain, { company: name, proof: added.proof })
  }

  #isProven(name: string, domain: string): boolean {
    const zone = this.#zones.get(domain)
    return zone?.company === name && zone.proof === this.domainsOf(name).get(domain)?.proof
  }

  verifyDomain(name: string, domain: string): string {
    const added = this.domainsOf(name).get(domain)
    if (added === undefined) return 'domain_not_found'
    if (!this.#isProven(name, domain)) return 'domain_not_proven'
    if ((this.holderOf(domain) ?? name) !== name) return 'domain_taken'
    added.isVerified = true
    this.#owned.set(domain, { company: name, checkAt: this.now + WEEK, failures: 0 })
    return 'served'
  }

  deleteDomain(name: string, domain: string): string {
    if (!this.domainsOf(name).delete(domain)) return 'domain_not_found'
    if (this.holderOf(domain) === name) this.#owned.delete(domain)
    return 'served'
  }

  /** The weekly checks that are due. */
  checkDomains(): void {
    for (const [domain, held] of this.#owned) {
      if (held.checkAt > this.now) continue
      const failures = this.#isProven(held.company, domain) ? 0 : held.failures + 1
      if (failures < 3) this.#owned.set(domain, { ...held, failures, checkAt: this.now + WEEK })
      else {
        this.#owned.delete(domain)
        const lost = this.domainsOf(held.company).get(domain)
        if (lost) lost.isVerified = false
      }
    }
  }
}
