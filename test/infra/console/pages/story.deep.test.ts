import { tellCustomerStory } from './customerStory.ts'

tellCustomerStory('test/infra/console/pages/story.deep', 'all')
