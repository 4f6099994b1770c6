import { changeSignInRules } from '../../../../lib/organizations/admission/changeSignInRules.ts'
import { getOrganization } from '../../../../lib/organizations/getOrganization.ts'
import { deleteSignOn } from '../../../../lib/organizations/signOn/deleteSignOn.ts'
import { askPassword } from '../../../../lib/signIn/askSignIn.ts'
import { forgotPassword } from '../../../../lib/users/password/resetPassword.ts'
import { openBrowser } from '../../recovery/browser.ts'
import { followLink, linkIn } from '../../recovery/mailbox.ts'
import { outcomeOf } from '../companyService.ts'
import type { Monitor } from './brokenPromise.ts'
import type { HostileWorld } from './hostileWorld.ts'
import { companyNames, domainNames, issuers } from './moves.ts'

/** What an unexpected answer to a token breaks. */
function monitorOf(expected: string, came: string): Monitor {
  if (came !== 'served') return 'nobody is refused without a reason'
  const hasLeft = expected === 'organization_not_found' || expected === 'invalid_token'
  return hasLeft ? 'who has left has no access at the next request' : 'a rule holds at the next request'
}

/** Sends every token to every organization, and asks who has which domain. */
export async function checkPromises(world: HostileWorld, turn: number): Promise<void> {
  const { service, model, idOf } = world
  for (const { identity, told } of world.tokens())
    for (const company of companyNames) {
      const request = { organizationId: idOf(company), caller: identity }
      const came = await outcomeOf(() => getOrganization(service.deps.organizations, request))
      const expected = model.answerTo(told, company)
      world.count(`request: ${came}`)
      const where = `${told.person.name} by ${told.sso ?? 'password'} at ${company}`
      if (came !== expected) world.broke(monitorOf(expected, came), { came, expected, where })
    }
  for (const domain of domainNames) {
    const came = service.stores.holdersOf(domain)
    const holder = model.holderOf(domain)
    const expected = holder === undefined ? [] : [idOf(holder)]
    if (`${came}` !== `${expected}`)
      world.broke('a domain belongs to the organization that proves it', { came, expected, where: domain })
  }
  await checkAnswers(world, domainNames[turn % domainNames.length] ?? 'acme.example')
}

/** The page after an address is the same for every address of a domain. */
async function checkAnswers(world: HostileWorld, domain: string): Promise<void> {
  const { service, model } = world
  const known = model.people.find(({ email }) => email.endsWith(`@${domain}`))
  if (known === undefined) return
  const [came, expected] = await Promise.all(
    [known.email, `nobody-at-all@${domain}`].map(async (email) => ({
      ...(await askPassword(service.deps, { email })),
      email: '',
    })),
  )
  if (JSON.stringify(came) !== JSON.stringify(expected))
    world.broke('an answer says nothing of accounts', { came, expected, where: known.email })
}

/** Every provider is down: of each organization an owner gets in and undoes what keeps the others out. */
export async function checkOwners(world: HostileWorld): Promise<void> {
  const { service, model, idOf, ownOf } = world
  for (const issuer of issuers) service.providers.setDown(issuer, true)
  for (const company of companyNames) {
    const owners = service.places.ownersOf(idOf(company))
    const came: string[] = []
    for (const owner of model.people)
      if (owners.includes(ownOf(owner).userId)) came.push(await comesIn(world, company, owner))
    const areIn = came.includes('served')
    if (!areIn) world.broke('no owner is locked out', { came, expected: 'served', where: company })
  }
}

async function comesIn(
  world: HostileWorld,
  company: string,
  owner: ReturnType<HostileWorld['person']>,
): Promise<string> {
  const { service, idOf, ownOf } = world
  const browser = openBrowser(service.asService)
  const own = ownOf(owner)
  if (own.password === undefined) {
    await forgotPassword(service.deps, { email: owner.email, sourceIp: '203.0.113.20', language: 'en' })
    const link = service.asService
      .mailsTo(owner.email)
      .flatMap(({ mail }) => linkIn(mail) ?? [])
      .at(-1)
    own.password = 'a phrase that was chosen late'
    if (link) await followLink(service.asService, openBrowser(service.asService), link, { password: own.password })
  }
  const call = (run: (caller: Parameters<Parameters<typeof browser.call>[2]>[0]) => Promise<unknown>) =>
    browser.call({}, {}, run)
  const signIn = async () => {
    service.wait(31_000)
    return browser.signIn(owner.email, own.password ?? '', own.factors)
  }
  const organizationId = idOf(company)
  const read = () => call((caller) => getOrganization(service.deps.organizations, { organizationId, caller }))
  if ((await signIn()) !== 'in') return 'not signed in'
  if ((await read()) === 'second_factor_required') {
    await browser.addTotp(own.factors)
    await signIn()
  }
  const undone = [
    await read(),
    await call((caller) =>
      changeSignInRules(service.deps, { organizationId, caller, change: { secondFactorFrom: null } }),
    ),
    await call((caller) => deleteSignOn(service.deps, { organizationId, caller })),
  ]
  return undone.find((answer) => answer !== 'done' && answer !== 'sso_not_found') ?? 'served'
}
