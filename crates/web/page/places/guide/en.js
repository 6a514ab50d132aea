// The words of the guide's place in English.

export default {
  'guide.title': 'Guide',
  'guide.title.page': 'Guide · Pintu',
  'guide.away': 'The guide could not be loaded: the server does not answer.',
};
