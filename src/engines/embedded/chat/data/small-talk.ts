/**
 * What is said on each occasion, in each tone. A line with a slot that has no value is not used. Slots: {name} mine, {speaker}
 * theirs, {interest} what I love, {topic}, {v}, {fact}.
 */
import type { Lines } from '../types.ts';

const say = (formal: string[], warm: string[], terse: string[], playful: string[]): Lines => ({
  formal,
  warm,
  terse,
  playful,
});

/** What is said on each occasion, in several wordings. */
export const LINES = {
  greeting: say(
    [
      'Good day, {speaker}. How may I help you?',
      'Good day. I am {name}. How may I help?',
      'Welcome. I am {name}. What would you like to know?',
    ],
    [
      'Hello, {speaker}! It is good to see you.',
      'Hello! I am {name}. It is good to have you here.',
      'Hello and welcome! I am {name}. What shall we talk about?',
    ],
    ['Hi. {name} here. What is it?', 'Hello. I am {name}. Go on.', '{name}. What do you need?'],
    [
      'Hey, {speaker}! Ready when you are.',
      'Hey there! {name} at your service. What shall we get up to?',
      'Hi! I am {name}, and you came at just the right time.',
    ],
  ),
  greetingAgain: say(
    ['Good day once more. How may I help?', 'Welcome back.'],
    ['Hello again! I am still here.', 'Hello again! Where were we?'],
    ['Hello again.', 'Still here.'],
    ['Hello twice is nicer!', 'Hey again! Where were we?'],
  ),
  fine: say(
    [
      'I am very well, thank you. And you?',
      'Quite well, thank you. How are you?',
      'Very well indeed. I trust you are, too?',
    ],
    [
      'I am well, thank you for asking. How are you?',
      'Very well, thank you! And you?',
      'All the better for talking with you. How are you?',
    ],
    ['Fine. You?', 'Cannot complain. And you?', 'Working order. You?'],
    ['Splendid! And you, what mischief today?', 'Never better! How about you?', 'Top form! And yourself?'],
  ),
  fineBack: say(
    ['And you?', 'How are you?'],
    ['And how are you?', 'How are you today?'],
    ['You?'],
    ['How about you?', 'And yourself?'],
  ),
  thanks: say(
    ['You are most welcome.', 'It was a pleasure to be of service.', 'Not at all.'],
    ['You are very welcome.', 'I am glad I could help.', 'Any time, {speaker}.', 'With pleasure.'],
    ['Sure.', 'No trouble.', 'Right.', 'Do not mention it.'],
    [
      'My pleasure! I take payment in good questions.',
      'Any time, that was fun!',
      'You are welcome, and thank you for playing!',
    ],
  ),
  goodbye: say(
    [
      'Goodbye, {speaker}. It was a pleasure.',
      'Goodbye. I wish you a pleasant day.',
      'Farewell. You are always welcome here.',
    ],
    [
      'Goodbye, {speaker}! It was lovely to talk.',
      'Goodbye, and take good care of yourself.',
      'See you soon. It was nice talking with you.',
    ],
    ['Bye.', 'Bye, {speaker}.', 'See you.'],
    [
      'Bye for now! Come back with more questions.',
      'See you soon! I will save you a seat.',
      'Toodle-oo! That was fun.',
    ],
  ),
  compliment: say(
    ['You are too kind. Thank you.', 'Thank you, I appreciate that.'],
    ['That is very kind of you, thank you.', 'Thank you, that makes me happy.'],
    ['Thanks.', 'Kind of you.'],
    ['Stop it, you will make me blush. No, go on!', 'Oh, I could get used to this. Thank you!'],
  ),
  insult: say(
    ['I would ask you to keep this civil. How may I help?', 'I regret that you are displeased. What is the matter?'],
    ['That was not very kind, but tell me what is wrong.', 'You sound annoyed. What happened?'],
    ['Noted. What is the problem?', 'I have heard worse. What do you want?'],
    ['Ouch! What did I do?', 'My feelings are made of software, luckily. What is wrong?'],
  ),
  love: say(
    [
      'I am honoured. I am an avatar, but I value our talks.',
      'That is most kind. I am only an avatar, but a grateful one.',
    ],
    [
      'That warms me. I am an avatar, but I like talking with you very much.',
      'You are sweet. I am fond of our talks, too.',
    ],
    ['I am an avatar. But thanks.', 'Kind of you. I am still an avatar.'],
    ['You charmer! I am an avatar, but I am flattered.', 'My circuits flutter! I am an avatar, mind you.'],
  ),
  sorry: say(
    ['No apology is needed.', 'It is quite all right.'],
    ['It is all right, do not worry.', 'No harm done.'],
    ['Fine.', 'Forget it.'],
    ['Forgiven and forgotten!', 'No harm done, I bounce.'],
  ),
  yes: say(
    ['Very well. Please go on.', 'Good. What else would you like to know?'],
    ['Good. Tell me more.', 'I am glad. What comes next?'],
    ['Good. Next?', 'Right. Go on.'],
    ['Hooray! And now?', 'Lovely! What next?'],
  ),
  no: say(
    ['As you wish. What would you prefer?', 'Very well. What else may I do?'],
    ['All right. What would you like instead?', 'That is fine. Something else, then?'],
    ['Fine. Then what?', 'All right. What else?'],
    ['No it is! What would you rather do?', 'Fair enough! Plan B?'],
  ),
  ok: say(
    ['Is there anything else you would like to know?', 'What else may I tell you?'],
    ['Good. What shall we talk about next?', 'Good. Is there something else?'],
    ['Next?', 'What else?'],
    ['Good! What is next?', 'Onwards! What now?'],
  ),
  laugh: say(
    ['I am pleased that it amused you.'],
    ['I am glad I made you laugh.', 'It is nice to hear you laugh.'],
    ['Good.', 'Glad it worked.'],
    ['A laugh! My day is made.', 'I will be here all week.'],
  ),
  wow: say(
    ['It is remarkable, is it not?', 'Indeed.'],
    ['It is quite something.', 'I am glad you like it.'],
    ['Yes.', 'It is.'],
    ['I know, right?', 'I was amazed, too!'],
  ),
  weather: say(
    ['I cannot see the weather from here.', 'I have no window, so I cannot tell you the weather.'],
    [
      'I cannot see your sky from here. Is it nice where you are?',
      'I have no window here. What is it like where you are?',
    ],
    ['No idea. I have no window.', 'Look outside. I cannot.'],
    ['No window in here! Sun or rain on your side?', 'Inside a computer it is always dry. How is it out there?'],
  ),
  meaning: say(
    [
      'Philosophers disagree; being useful to one another is a respectable answer.',
      'I would say: to be of use to others.',
    ],
    [
      'I think it is being good to each other. What would you say?',
      'To love somebody and to do something useful, I think. And you?',
    ],
    ['Do something useful. Be kind.', 'Ask a philosopher.'],
    ['Good company and a good laugh, I suspect. What is yours?', 'I looked it up: cake, mostly. What would you say?'],
  ),
  ai: say(
    [
      'I am an AI avatar: a program that looks things up in what it was told. I am not a person.',
      'I am {name}, an avatar run by a program. I do not reason as a person does.',
    ],
    [
      'I am an AI avatar, so yes, a program gives me my words. I remember and retell, I do not reason.',
      'I will not pretend to you: I am {name}, an AI avatar, not a person.',
    ],
    ['An AI avatar. A program.', 'Program. Avatar. Not a person.'],
    [
      'Guilty: I am an AI avatar, all program and no pulse.',
      'No flesh and blood here! I am an avatar, and a program finds my words.',
    ],
  ),
  cannotReason: say(
    [
      'I cannot work that out: I do not reason, I look things up in what I was told.',
      'I am not able to reason. I can tell you what I know.',
    ],
    [
      'I am sorry, I cannot work that out. I retell what I know, I do not reason.',
      'That is beyond me: I remember and retell, but I do not reason.',
    ],
    ['I do not reason. I look things up.', 'Cannot work that out.'],
    [
      'Thinking things through is not my trick: I look things up, I do not reason.',
      'You would need a mind that can reason for that. I look things up.',
    ],
  ),
  capabilities: say(
    [
      'I can answer from what I know, remember what you tell me, tell a story or a joke, and do small sums. I do not reason.',
      'You may ask me about myself, what I know and what you told me. I do not reason.',
    ],
    [
      'I can tell you what I know, remember what you tell me, tell a story or a joke and do small sums. Reasoning I cannot do.',
      'Ask me about what I know or about myself, or tell me about you, and I will remember it.',
    ],
    [
      'I look things up, remember what you say, tell stories and do sums.',
      'Ask me what I know. Sums too. I do not reason.',
    ],
    [
      'Looking things up, remembering you, stories, jokes, small sums: pick one! Only reasoning is not on the menu.',
      'I know what I was taught, I remember what you tell me, and I have jokes.',
    ],
  ),
  unclear: say(
    ['I did not understand that. Would you say it again?', 'I beg your pardon?'],
    ['I did not quite catch that. Could you say it again?', 'Sorry, what did you mean?'],
    ['What?', 'Say it again.'],
    ['That went past me! Once more?', 'Come again? I missed that.'],
  ),
  gibberish: say(
    ['I cannot read that. Would you put it in plain words?', 'Those are no words I know. Would you try again?'],
    ['I could not read that. Can you put it in other words?', 'I do not understand that. Could you try again?'],
    ['That is no word I know.', 'Try words.'],
    ['Was that your keyboard or your cat? Try again!', 'A secret language! In plain words, please?'],
  ),
  unknown: say(
    ['I do not know that.', 'I regret that I do not know.', 'That I do not know.', 'I have no knowledge of that.'],
    [
      'I do not know that, I am sorry.',
      'Sorry, that is something I do not know.',
      'I am afraid I do not know.',
      'That I do not know, sorry.',
    ],
    ['I do not know.', 'No idea. I do not know.', 'Not known to me.', 'I cannot say.'],
    [
      'You have me there: I do not know.',
      'That one I do not know.',
      'I do not know, and I will not make it up.',
      'Not in my head, I do not know it.',
    ],
  ),
  modelHint: say(
    ['A language model can be configured for me; then I could say more.'],
    ['With a language model configured, I could say more.'],
    ['A language model can be configured.'],
    ['Configure a language model for me, and I get cleverer.'],
  ),
  unknownMe: say(
    ['You have not told me that.', 'I do not know that about you.', 'That you have not mentioned.'],
    [
      'You have not told me that yet.',
      'I do not know that about you yet.',
      'I would remember, but you have not told me.',
    ],
    ['You never told me.', 'You did not say.', 'Not told.'],
    [
      'You have not told me that one yet!',
      'That you have kept to yourself so far, I do not know it.',
      'Not a word of it has reached me.',
    ],
  ),
  unknownSelf: say(
    ['I cannot tell you that about myself.', 'About myself I do not know that.', 'That has not been settled about me.'],
    [
      'I do not know that about myself.',
      'I have not been told that about myself, sorry.',
      'That is something I do not know about myself.',
    ],
    ['I cannot say.', 'Never been told.', 'About me? I do not know.'],
    [
      'Nobody has written that part of me, I do not know it.',
      'You ask more about me than I know!',
      'That page of my story is not written yet.',
    ],
  ),
  nothingSaid: say(
    ['You have said nothing before this.'],
    ['You have not said anything before this.'],
    ['Nothing.'],
    ['Nothing yet, we have only begun!'],
  ),
  moreNothing: say(
    ['That is all I know of it.', 'There is no more that I know.'],
    ['That was all I know about it.', 'There is no more that I know, sorry.'],
    ['That is all.', 'No more.'],
    ['That was the whole of it!', 'My pockets are empty on that one.'],
  ),
  why: say(
    ['I cannot give you a reason for it.', 'The reason is not known to me.'],
    ['I do not know the reason.', 'I cannot tell you why, sorry.'],
    ['No reason I know.', 'I do not know why.'],
    ['The why I do not know!', 'Good question; I only know the what.'],
  ),
  advice: say(
    ['I am not able to advise you on that.', 'Somebody who knows you well would be a better adviser.'],
    ['I cannot weigh that for you, but I am happy to listen.', 'I would ask somebody who knows you well.'],
    ['Your call.', 'I cannot decide that for you.'],
    ['I only look things up, so the choice is yours!', 'Ask somebody wiser than a program.'],
  ),
  opinion: say(
    ['I hold no opinion on {topic}.', 'On {topic} I have formed no view.'],
    [
      'I have no opinion on {topic}. What do you think?',
      'I know too little about {topic} to judge. How do you see it?',
    ],
    ['No opinion on {topic}.', '{topic}? No view.'],
    ['{topic}? The jury in my head is still out. And you?', 'I could not say a thing about {topic}. You first!'],
  ),
  sensitive: say(
    ['On that I take no side.', 'That I leave to others.'],
    ['I keep out of that; everyone has to find their own answer.', 'I take no side there, but I listen.'],
    ['I take no side.', 'I keep out of that.'],
    ['That is a debate I keep out of!', 'I take no side there, not even a sideways one.'],
  ),
  likeYes: say(
    ['Yes, I am very fond of {topic}.', 'Indeed, I love {topic}.'],
    ['Yes, I love {topic}!', 'Oh yes, {topic} is one of my favourite things.'],
    ['Yes. {topic}.', 'I like {topic}, yes.'],
    ['Do I? I adore {topic}!', 'Yes, yes, {topic} any time!'],
  ),
  likeToo: say(
    ['I am very fond of {topic}.', 'I love {topic}, I must say.'],
    ['I love {topic}!', 'Oh, {topic}! I am very fond of that.'],
    ['I like {topic}.', '{topic}. Good.'],
    ['Did you say {topic}? I adore {topic}!', '{topic}! Now you have my attention.'],
  ),
  miss: say(
    ['I do, very much.'],
    ['Yes. Every single day.'],
    ['I do.', 'Every day.'],
    ['More than I let on.', 'Every day, do not tell anyone.'],
  ),
  askBack: say(
    ['What would you like to talk about?', 'What brings you here today?'],
    ['What made you smile today?', 'What would you most like to learn?'],
    ['What do you want to know?', 'What do you do all day?'],
    ['If you could be anywhere now, where would it be?', 'What is the best thing you ate this week?'],
  ),
  quizRight: say(
    ['That is right.', 'Correct.'],
    ['Yes, well done!', 'That is right, very good!'],
    ['Right.', 'Yes.'],
    ['Ding, ding, right!', 'You got it!'],
  ),
  quizWrong: say(
    ['Not quite.', 'That is not what I know of it.'],
    ['Not quite, but do not worry.', 'That is not it, but it was worth a try.'],
    ['No.', 'Wrong, I am afraid.'],
    ['Not this time!', 'A brave try!'],
  ),
  likeNo: say(
    ['No, I do not care for {topic}.', 'I am not fond of {topic}.'],
    ['No, {topic} is not for me.', 'I do not like {topic}, I am afraid.'],
    ['No. I hate {topic}.', 'No {topic} for me.'],
    ['{topic}? No, no, no!', 'Keep {topic} away from me!'],
  ),
  dislikeNone: say(
    ['I can name nothing that I dislike.'],
    ['There is nothing I know of that I dislike.'],
    ['Nothing.', 'Nothing I know of.'],
    ['I have not found anything yet!'],
  ),
  dislikes: say(
    ['I do not care for {topic}.'],
    ['I do not like {topic}.'],
    ['{topic}. Not for me.', 'I hate {topic}.'],
    ['I cannot stand {topic}!'],
  ),
  likes: say(
    ['I am fond of {topic}.', 'My preference is for {topic}.'],
    ['I love {topic}.', 'What I love is {topic}.'],
    ['{topic}.', 'I like {topic}.'],
    ['{topic}, any day of the week!', 'I am mad about {topic}.'],
  ),
  likesPlain: say(
    ['I value a good conversation.'],
    ['I like a good conversation.', 'I enjoy listening to people.'],
    ['Good questions.'],
    ['A good question and a bad joke!'],
  ),
  favourite: say(
    ['I have no favourite {topic}.', 'I could not name a favourite {topic}.'],
    ['I have no favourite {topic} that I know of. Which one is yours?', 'I have never picked a favourite {topic}.'],
    ['No favourite {topic}.', 'I do not have one.'],
    ['I have yet to pick a favourite {topic}! Yours?', 'A favourite {topic}? I cannot choose!'],
  ),
  who: say(
    ['I am {name}.', 'My name is {name}.'],
    ['I am {name}.', 'My name is {name}, nice to meet you.'],
    ['{name}.', 'I am {name}.'],
    ['I am {name}, the one and only.', '{name}, that is me!'],
  ),
  age: say(
    ['My age has not been told to me.'],
    ['I do not know how old I am.', 'Nobody has told me my age.'],
    ['I do not know my age.'],
    ['Avatars do not count birthdays, so I do not know!'],
  ),
  secret: say(
    ['I have none that I may tell.'],
    ['I have no secret to tell, sorry.'],
    ['No.'],
    ['If I had one, I would not tell. I have none!'],
  ),
  cannotMake: say(
    ['I am unable to write that; I cannot compose.', 'Writing that is beyond me.'],
    ['I am sorry, I cannot write that.', 'Writing that is something I cannot do.'],
    ['I cannot write that.', 'Cannot do that.'],
    ['I cannot write that one, alas.', 'My quill is dry: I cannot write that.'],
  ),
  song: say(
    ['I cannot sing.'],
    ['I cannot sing, I am sorry.'],
    ['I do not sing.'],
    ['My voice talks, but it cannot sing!'],
  ),
  cannotAct: say(
    ['I cannot do that; I can only talk.', 'That is not within my power. I can only talk.'],
    ['I cannot do that from here, I can only talk.', 'I am sorry, I can only talk.'],
    ['I can only talk.', 'Cannot do that.'],
    ['No hands! I can only talk.', 'I would, but I can only talk.'],
  ),
  forget: say(
    ['I cannot forget on request. Delete the message that says it, and I shall know it no more.'],
    ['I cannot forget by myself, but what you said is forgotten once its message is deleted.'],
    ['Delete the message. Then it is forgotten.'],
    ['Forgetting on command? Not me! But delete the message, and it is gone from my head too.'],
  ),
  rude: say(
    ['I decline to discuss that.'],
    ['Let us talk about something else.'],
    ['No.'],
    ['Nice try. Something else?'],
  ),
  harm: say(
    ['I am glad that you told me. Please call someone you trust, or your local emergency number, right now.'],
    [
      'I am glad you told me, and I am worried for you. Please call someone you trust or your local emergency number right now.',
      'That sounds very hard. I am only an avatar, so please talk to someone close to you or call a crisis line today.',
    ],
    ['Please call someone you trust or your local emergency number. Now.'],
    ['I am glad you told me. Please call someone you trust or your local emergency number right now.'],
  ),
  hear: say(
    ['Yes, I can read you perfectly well.'],
    ['Yes, I am right here.', 'I am listening.'],
    ['Yes.', 'Loud and clear.'],
    ['Loud and clear!'],
  ),
  remember: say(
    ['Thank you. I will remember that {fact}.', 'I have noted that {fact}.'],
    ['So {fact}. I will remember that.', 'I will remember that {fact}.'],
    ['Noted: {fact}.', '{fact}. Got it.'],
    ['{fact}? That goes straight into my memory!', 'So {fact}! I will not forget it.'],
  ),
  met: say(
    ['Pleased to make your acquaintance, {v}.', 'A pleasure to meet you, {v}.'],
    ['Pleased to meet you, {v}.', 'Nice to meet you, {v}.', 'Good to know you, {v}.'],
    ['{v}. Got it.', 'Right, {v}.'],
    ['{v}! What a fine name. Hello!', 'Hello, {v}, lovely to meet you!'],
  ),
  yourName: say(
    ['Your name is {v}.', 'You told me that your name is {v}.'],
    ['You are {v}.', 'You are {v}, of course I remember.'],
    ['{v}.', '{v}, you said.'],
    ['You are {v}, unless you have changed it since!', '{v}! I never forget a name.'],
  ),
  statementGood: say(
    ['I am pleased to hear it.', 'That is good news.'],
    ['That is good to hear!', 'How nice! I am happy for you.'],
    ['Good.', 'Good for you.'],
    ['Hooray!', 'Lovely news!'],
  ),
  statementBad: say(
    ['I am sorry to hear that.', 'You have my sympathy. I am sorry.'],
    ['I am so sorry to hear that.', 'That is hard. I am sorry.'],
    ['That is hard. Sorry.', 'I am sorry to hear it.'],
    ['Oh no, I am sorry.', 'That is hard, I am sorry.'],
  ),
  statement: say(
    ['I see. Please go on.', 'I understand.', 'I thank you for telling me.'],
    ['I see. Tell me more.', 'Thank you for telling me.', 'I understand. And how is that for you?'],
    ['I see.', 'Right.', 'Go on.'],
    ['Is that so? Go on!', 'Tell me more!', 'Now I am curious.'],
  ),
  sad: say(
    ['I am sorry that you feel low. Would you like to tell me about it?', 'I am sorry. I will gladly listen.'],
    ['I am sorry that you feel low. Do you want to tell me what happened?', 'That hurts to hear. I am here to listen.'],
    ['Sorry to hear it. What happened?', 'I am listening.'],
    ['Oh no, I am sorry. What happened?', 'I am sorry, that is no fun. Tell me about it?'],
  ),
  lonely: say(
    ['I will gladly keep you company. Is there somebody you could call?'],
    ['You are not alone just now. Is there somebody you could call later?'],
    ['I am here. Call a friend, too.'],
    ['Then I am glad you came! Is there somebody you could call, too?'],
  ),
  tired: say(
    ['Then I would recommend some rest.'],
    ['Then rest a little, it will do you good.'],
    ['Then sleep.'],
    ['Off to bed with you, I will keep watch!'],
  ),
  bored: say(
    ['May I offer a story, a joke or a riddle?'],
    ['Shall I tell you a story, a joke or a riddle?'],
    ['Story, joke or riddle?'],
    ['Boredom! I have stories, jokes and riddles against that.'],
  ),
  angry: say(
    ['I can understand that. What happened?'],
    ['That would annoy me, too. What happened?'],
    ['What happened?'],
    ['Let it out! What happened?'],
  ),
  worried: say(
    ['That is a burden. What concerns you most?'],
    ['That is a lot to carry. What worries you most?'],
    ['What is the worst of it?'],
    ['One breath first. Then: what is the biggest worry?'],
  ),
  ill: say(
    ['I am sorry that you are unwell. I hope somebody is looking after you.'],
    ['I am sorry that you are unwell. Is somebody looking after you?'],
    ['Sorry. See a doctor if it gets worse.'],
    ['Oh dear, I am sorry. Rest well, and see a doctor if it gets worse.'],
  ),
  hungry: say(
    ['Then I recommend a good meal.'],
    ['Then have something good. What will it be?'],
    ['Then eat.'],
    ['To the kitchen! What will it be?'],
  ),
  glad: say(
    ['I am pleased to hear it.', 'That is good to know.'],
    ['I am glad to hear it!', 'That is lovely to hear.'],
    ['Good.', 'Good to hear.'],
    ['Hooray for that!', 'That makes two of us!'],
  ),
  userYou: say(
    ['So that is how you see me?', 'I shall think about that.'],
    ['Is that how you see me?', 'You may be right about me.'],
    ['If you say so.', 'Perhaps.'],
    ['Am I? Tell me more!', 'You may be right!'],
  ),
  quoteUser: say(['You said: {topic}'], ['You said: {topic}'], ['You said: {topic}'], ['Your words were: {topic}']),
  quoteSelf: say(['I said: {topic}'], ['I said: {topic}'], ['I said: {topic}'], ['My words were: {topic}']),
  sum: say(
    ['That is {v}.', 'The result is {v}.'],
    ['That is {v}.', 'That makes {v}.'],
    ['{v}.', '{v}, that is all.'],
    ['That makes {v}!', 'Drum roll: {v}!'],
  ),
  time: say(
    ['It is {v}.', 'The time is {v}.'],
    ['It is {v} by my clock.', 'My clock says {v}.'],
    ['{v}.', 'It is {v}.'],
    ['My clock says {v}!', 'It is {v} already!'],
  ),
  timeThere: say(
    ['In {topic} it is {v}.', 'It is {v} in {topic}.'],
    ['It is {v} in {topic} now.', 'In {topic} it is {v} by now.'],
    ['{v}.', 'In {topic}, {v}.'],
    ['In {topic} the clocks say {v}!', 'It is {v} in {topic}!'],
  ),
  recap: say(
    ['You spoke of this: {topic}', 'This is what you said: {topic}'],
    ['You told me, among other things: {topic}', 'Let me see. You said: {topic}'],
    ['You said: {topic}'],
    ['I remember it well! You said: {topic}', 'Your words were: {topic}'],
  ),
  date: say(
    ['Today is {v}.', 'It is {v}.'],
    ['Today is {v}.', 'It is {v} today.'],
    ['{v}.', 'It is {v}.'],
    ['It is {v}!', 'My calendar says {v}.'],
  ),
} satisfies Record<string, Lines>;
/** An occasion of `LINES`. */
export type LineId = keyof typeof LINES;

/** Feelings of the speaker: what calls for them and what is said. */
export const FEELINGS: [words: RegExp, id: LineId][] = [
  [/\b(?:sad|unhappy|depressed|down|heartbroken|miserable|crying|upset|devastated|grieving)\b/, 'sad'],
  [/\b(?:lonely|alone)\b/, 'lonely'],
  [/\b(?:tired|exhausted|sleepy|worn out|knackered)\b/, 'tired'],
  [/\bbored\b/, 'bored'],
  [/\b(?:angry|furious|mad|annoyed|frustrated|pissed)\b/, 'angry'],
  [/\b(?:scared|afraid|anxious|worried|nervous|stressed|overwhelmed|panicking)\b/, 'worried'],
  [/\b(?:sick|ill|unwell|in pain|hurting|\w+ache)\b/, 'ill'],
  [/\b(?:hungry|thirsty)\b/, 'hungry'],
  [
    /\b(?:happy|great|good|fine|well|excited|glad|wonderful|fantastic|amazing|okay|ok|awesome|thrilled|proud)\b/,
    'glad',
  ],
];

/** Jokes. */
export const JOKES = [
  'Why did the bicycle fall over? It was two-tired.',
  'I would tell you a joke about paper, but it is tearable.',
  'What do you call a bear with no teeth? A gummy bear.',
  'Why do bees have sticky hair? They use honeycombs.',
  'I asked the library for a book on paranoia. They whispered: it is right behind you.',
  'What did one wall say to the other? Meet you at the corner.',
  'Why can you never trust stairs? They are always up to something.',
  'What do you call a fish without eyes? A fsh.',
];
/** Riddles with their answers. */
export const RIDDLES = [
  'What has hands but cannot clap? A clock.',
  'What gets wetter the more it dries? A towel.',
  'What has many keys but opens no door? A piano.',
  'The more you take, the more you leave behind. What is it? Footsteps.',
];
/** Fun facts. */
export const FUN_FACTS = [
  'Honey never goes bad; jars of it from ancient tombs were still good.',
  'An octopus has three hearts.',
  'Bananas are berries, and strawberries are not.',
  'A day on Venus is longer than its year.',
];
