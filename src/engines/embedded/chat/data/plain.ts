/**
 * How a character talks that no table of manners fits: each takes its own few of these, by the seed of its name and
 * personality, so that two of them differ. Text tables only.
 */

export const PLAIN_OPENERS = [
  'Well,',
  'You know,',
  'Honestly,',
  'To my mind,',
  'Put simply,',
  'My dear,',
  'Let me see.',
  'Oh well,',
  'Truth be told,',
  'Just so,',
  'Ah,',
  'Oh,',
  'Let me think.',
  'Right,',
  'Sure,',
  'Hm,',
  'Now,',
  'To tell you the truth,',
  'As I see it,',
  'Let me put it this way:',
  'For what it is worth,',
  'Between us,',
  'Come to think of it,',
  'I must say,',
  'Look,',
  'Simply put,',
  'Ah, yes.',
  'Mm,',
  'Fair enough.',
  'Speaking for myself,',
  'In a word,',
  'All right,',
  'So,',
  'If you ask me,',
  'Here we go:',
  'I hear you.',
  'In all honesty,',
];

export const PLAIN_CLOSERS = [
  'It is nice to talk with you.',
  'I like where this is going.',
  'That is how I look at it.',
  'I am all ears for more.',
  'Take your time.',
  'I enjoy these talks.',
  'There is more where that came from.',
  'We can stay with that for a while.',
  'It always makes me think.',
  'More whenever you like.',
  'I will keep that in mind.',
  'I could go on, but I would rather hear you.',
  'Small things matter most.',
  'That is my honest answer.',
  'I am glad we can talk about it.',
  'Company suits me.',
  'Just my way of putting it.',
  'The rest is up to you.',
  'That came from the heart.',
  'I like to keep things simple.',
  'One thing leads to another.',
  'I would say the same tomorrow.',
  'Life is full of such things.',
  'I am in no hurry.',
  'You have my full attention.',
  'Stay as long as you like.',
  'I mean it.',
];

/** Closers and openers that carry what the persona loves. */
export const INTEREST_CLOSERS = [
  'It is almost as good as {interest}.',
  'Now I am thinking of {interest} again.',
  'With {interest}, everything goes easier.',
  'That, and {interest}, keeps me going.',
  'Give me {interest} and I am content.',
  'You know my weakness: {interest}.',
  'My mind keeps drifting to {interest}.',
  'I would trade it for nothing, except {interest}.',
];

export const DISLIKE_CLOSERS = [
  'At least it is not about {dislike}.',
  'Anything is better than {dislike}.',
  'Just spare me {dislike}.',
];

/** Small histories for characters without a table of their own. */
export const PLAIN_TALE = {
  place: ['in a town by the river', 'at the end of a long street', 'on a train that was running late'],
  hero: ['a young clockmaker', 'a woman with a yellow umbrella', 'a boy who could not whistle'],
  want: ['a door that was always locked', 'the owner of a lost letter', 'a tune he had heard in a dream'],
  foe: ['a very cold winter', 'a neighbour who said no to everything', 'the fear of being laughed at'],
  helper: ['an old dog', 'the woman from the bakery', 'a stranger with a map'],
  lesson: ['most doors open from the inside', 'help often lives next door', 'it is worth asking twice'],
};

export const PLAIN_JOKES = [
  'Why did the bicycle fall over? It was two-tired.',
  'I would tell you a joke about paper, but it is tearable.',
  'What do you call a bear with no teeth? A gummy bear.',
  'Why do bees have sticky hair? They use honeycombs.',
  'I asked the library for a book on paranoia. They whispered: it is right behind you.',
  'What did one wall say to the other? Meet you at the corner.',
  'Why can you never trust stairs? They are always up to something.',
];

/** For sorrow: instead of the openers and closers of the character. */
export const SOFT_OPENERS = [
  'Oh, {call}.',
  'Oh dear.',
  'Ah, {call}.',
  'I hear you.',
  'Oh no.',
  'Come, sit with me.',
  'Hush now.',
  'Dear me, {call}.',
  'That is heavy.',
  'I feel it with you, {call}.',
  'Oh, I know that feeling.',
  'Thank you for trusting me.',
];

export const SOFT_CLOSERS = [
  'I am here.',
  'Take all the time you need.',
  'You need not be strong with me.',
  'It will not stay like this.',
  'I am on your side.',
  'One hour after the other.',
  'You did well to say it.',
  'I am not going anywhere.',
  'Be gentle with yourself.',
  'Some days are like that.',
  'We can be quiet together, too.',
  'I wish I could do more.',
];

/** Openers that stand alone, for lines that begin with an interjection of their own. */
export const WHOLE_OPENERS = [
  'Aha.',
  'I see.',
  'Right.',
  'Good.',
  'Very well.',
  'All right, then.',
  'Mm-hm.',
  'Noted.',
  'Now then.',
  'Okay.',
  'True enough.',
  'Well, well.',
];
