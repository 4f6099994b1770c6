import { tellCustomerStory } from './customerStory.ts'

tellCustomerStory('test/infra/console/story.deep', 'all')
