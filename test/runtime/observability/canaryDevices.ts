import { demoUsers } from '../../../infra/data/demo.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { codesAnswer } from '../../oauth/device/deviceVisits.ts'
import type { Ground } from './canaryFailures.ts'

/** A person types a wrong code of a device, then the right one, and allows it. */
export async function allowDevice({ stack, canaries }: Ground): Promise<void> {
  const { base_url, demo } = stack.client.info
  const form = new URLSearchParams({ client_id: demo.device_client_id })
  const answer = await fetch(`${base_url}/api/oauth/device_authorization`, { method: 'POST', body: form })
  const codes = codesAnswer.parse(await answer.json())
  canaries.add('device code', codes.device_code)
  canaries.add('user code', codes.user_code)
  const visitor = new Visitor(base_url, '/api/device')
  const { email, password } = demoUsers.stranger
  await visitor.submit('', await visitor.get(''), 'login', { fields: { email, password } })
  const page = await visitor.get('')
  await visitor.submit('', page, 'code', { fields: { user_code: 'BBBB-BBBB' } })
  const asked = await visitor.submit('', page, 'code', { fields: { user_code: codes.user_code } })
  await visitor.submit('', asked, 'allow')
}
