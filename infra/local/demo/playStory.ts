import type { LocalInfo } from '../info.ts'
import { answers } from './answers.ts'
import { changeCard, renew } from './cards.ts'
import { authenticate, buy } from './purchase.ts'
import { editDetails, readAuditLog, readInvoices } from './records.ts'
import { createScene, type Narrator } from './scene.ts'
import { cancelAndResume } from './subscriptions.ts'

/**
 * Plays the life of a customer in a new organization, as a billing page shows it: prices, a purchase, 3-D Secure, cards, a declined
 * renewal, invoices, cancellations, the address and the audit log. Advances the stack's clock by 32 days.
 * @throws Error at the first unexpected answer
 */
export async function playStory(info: LocalInfo, narrator: Narrator): Promise<void> {
  const scene = createScene(info, narrator)
  scene.title('Sign in, and create an organization')
  scene.note('An authorization code is exchanged for an access token, which every request carries.')
  await scene.signIn()
  await scene.send('GET /api/users/me', answers.any)
  const body = { name: 'Harbour Robotics' }
  const { id } = await scene.send('POST /api/organizations', answers.organization, { body, status: 201 })
  scene.enter(id)
  await scene.send(`GET /api/organizations/${id}`, answers.organization)

  await buy(scene)
  await authenticate(scene)
  await changeCard(scene)
  await renew(scene)
  await readInvoices(scene)
  await cancelAndResume(scene, id)
  await editDetails(scene)
  await readAuditLog(scene, id)
}
