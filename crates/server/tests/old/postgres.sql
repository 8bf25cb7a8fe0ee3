-- A database as step 3 of the shared store left it.
CREATE TABLE public.chat (
    number bigint NOT NULL,
    tab text NOT NULL,
    at bigint NOT NULL,
    name text NOT NULL,
    seat smallint,
    readers smallint NOT NULL,
    text text NOT NULL,
    person text
);
ALTER TABLE public.chat ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.chat_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.done (
    tab text NOT NULL,
    seat smallint NOT NULL,
    key text NOT NULL
);
CREATE TABLE public.drafts (
    tab text NOT NULL,
    seat smallint NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.entries (
    tab text NOT NULL,
    number integer NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.events (
    tab text NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    what text NOT NULL
);
CREATE TABLE public.house (
    name text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.leases (
    tab text NOT NULL,
    server text NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE public.notes (
    tab text NOT NULL,
    person text NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.people (
    id text NOT NULL,
    name text NOT NULL,
    password text,
    account text,
    shape text
);
CREATE TABLE public.resets (
    hash text NOT NULL,
    person text NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE public.schema_steps (
    step integer NOT NULL
);
CREATE TABLE public.seats (
    tab text NOT NULL,
    seat smallint NOT NULL,
    kind text NOT NULL,
    person text,
    name text NOT NULL,
    link text,
    nonce text,
    stand_in text,
    bot_since integer,
    called_at bigint
);
CREATE TABLE public.sessions (
    hash text NOT NULL,
    person text NOT NULL,
    id text DEFAULT ''::text NOT NULL,
    created bigint DEFAULT 0 NOT NULL,
    used bigint DEFAULT 0 NOT NULL,
    agent text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.tables (
    id text NOT NULL,
    game text NOT NULL,
    scenario text NOT NULL,
    seats smallint NOT NULL,
    options text NOT NULL,
    seed text NOT NULL,
    head text,
    stage text NOT NULL,
    host text NOT NULL,
    listed boolean NOT NULL,
    created bigint NOT NULL,
    touched bigint NOT NULL,
    waiting smallint NOT NULL,
    headline text NOT NULL,
    version bigint NOT NULL,
    pace text NOT NULL,
    clocks text,
    asked text NOT NULL,
    numbers text NOT NULL,
    chosen text DEFAULT ''::text NOT NULL,
    absence integer DEFAULT 86400 NOT NULL
);
CREATE TABLE public.wishes (
    person text NOT NULL,
    text text NOT NULL
);
INSERT INTO public.chat OVERRIDING SYSTEM VALUE VALUES (1, 'fbtus3drnag4', 1794881175, 'Ada', 0, 0, 'Well met', 'wdqr3w4meu2xgnij');
INSERT INTO public.chat OVERRIDING SYSTEM VALUE VALUES (2, 'fbtus3drnag4', 1794881175, 'Ada', 0, 1, 'To myself', 'wdqr3w4meu2xgnij');
INSERT INTO public.done VALUES ('vsw7d9sixwdp', 1, 'k1');
INSERT INTO public.drafts VALUES ('fbtus3drnag4', 0, '{"actions":["group Arden"],"orders":[]}');
INSERT INTO public.drafts VALUES ('fbtus3drnag4', 1, '{"actions":[],"orders":["fire whenever possible"]}');
INSERT INTO public.drafts VALUES ('vsw7d9sixwdp', 0, '{"actions":["card 3"],"orders":[]}');
INSERT INTO public.entries VALUES ('fbtus3drnag4', 1, '1 Red: card 3');
INSERT INTO public.entries VALUES ('fbtus3drnag4', 2, '2 Blue: card 1');
INSERT INTO public.entries VALUES ('c3bqz9pieeb3', 1, '1 Red: a');
INSERT INTO public.entries VALUES ('jm2bkgt7iz5b', 1, '1 Cross: a1');
INSERT INTO public.entries VALUES ('jm2bkgt7iz5b', 2, '2 Nought: b1');
INSERT INTO public.entries VALUES ('jm2bkgt7iz5b', 3, '3 Cross: a2');
INSERT INTO public.entries VALUES ('jm2bkgt7iz5b', 4, '4 Nought: b2');
INSERT INTO public.entries VALUES ('jm2bkgt7iz5b', 5, '5 Cross: a3');
INSERT INTO public.entries VALUES ('uug3dk8nxrn7', 1, '1 Cross: a1');
INSERT INTO public.entries VALUES ('uug3dk8nxrn7', 2, '2 Nought: b1');
INSERT INTO public.entries VALUES ('uug3dk8nxrn7', 3, '3 Cross: a2');
INSERT INTO public.events VALUES ('fbtus3drnag4', 1, 1794881175, '{"kind":"sat-down","seat":1}');
INSERT INTO public.events VALUES ('vsw7d9sixwdp', 1, 1794881175, '{"kind":"sat-down","seat":1}');
INSERT INTO public.events VALUES ('c3bqz9pieeb3', 1, 1794881175, '{"kind":"sat-down","seat":1}');
INSERT INTO public.events VALUES ('mwe54jkpq2ue', 1, 1794881175, '{"kind":"link-made","seat":1,"held":false}');
INSERT INTO public.events VALUES ('jm2bkgt7iz5b', 1, 1794881175, '{"kind":"sat-down","seat":1}');
INSERT INTO public.house VALUES ('push key', 'e7ZQ0H_co8oX2XsdwV2t_XZcmh185_5ckR349kTajF4');
INSERT INTO public.notes VALUES ('fbtus3drnag4', 'wdqr3w4meu2xgnij', 'Hold Dunster');
INSERT INTO public.notes VALUES ('fbtus3drnag4', 'wdqr3w4meu2xgnij/seen/0', '2');
INSERT INTO public.people VALUES ('wdqr3w4meu2xgnij', 'Ada', NULL, NULL, NULL);
INSERT INTO public.people VALUES ('i6xt5vknkq53ng44', 'Bo', NULL, NULL, NULL);
INSERT INTO public.schema_steps VALUES (1);
INSERT INTO public.schema_steps VALUES (2);
INSERT INTO public.schema_steps VALUES (3);
INSERT INTO public.seats VALUES ('fbtus3drnag4', 0, 'person', 'wdqr3w4meu2xgnij', 'Ada', NULL, '000000000000002a', NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('fbtus3drnag4', 1, 'person', 'i6xt5vknkq53ng44', 'Bo', NULL, '000000000000002a', NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('vsw7d9sixwdp', 0, 'person', 'wdqr3w4meu2xgnij', 'Ada', NULL, '000000000000002a', NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('vsw7d9sixwdp', 1, 'person', 'i6xt5vknkq53ng44', 'Bo', NULL, '000000000000002a', NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('c3bqz9pieeb3', 0, 'person', 'wdqr3w4meu2xgnij', 'Ada', NULL, '000000000000002a', NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('c3bqz9pieeb3', 1, 'person', 'i6xt5vknkq53ng44', 'Bo', NULL, '000000000000002a', NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('mwe54jkpq2ue', 0, 'person', 'i6xt5vknkq53ng44', 'Bo', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('mwe54jkpq2ue', 1, 'invited', NULL, '', '84ab333ca853f5da23f045fe44f6413a8f349ff53619cd5ab6f10739c6cdaab9', NULL, NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('jm2bkgt7iz5b', 0, 'person', 'wdqr3w4meu2xgnij', 'Ada', NULL, '000000000000002a', NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('jm2bkgt7iz5b', 1, 'person', 'i6xt5vknkq53ng44', 'Bo', NULL, '000000000000002a', NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('uug3dk8nxrn7', 0, 'person', 'wdqr3w4meu2xgnij', 'Ada', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.seats VALUES ('uug3dk8nxrn7', 1, 'person', 'wdqr3w4meu2xgnij', 'Ada', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.sessions VALUES ('56e0294de573d3c56b9c906b5c5d4318382a4f0f8c4cb25529b6c13dad456a8e', 'wdqr3w4meu2xgnij', '7trzmdz4gvkm', 1794881175, 1794881175, '');
INSERT INTO public.sessions VALUES ('71da4a695c80b956354b9b55797a05941a8af7348754870d4789b3e04ae0a012', 'i6xt5vknkq53ng44', 'y9jm9b38c9x8', 1794881175, 1794881175, '');
INSERT INTO public.tables VALUES ('vsw7d9sixwdp', 'ten-towns', 'standard', 2, '{"gold":"5","open-tokens":"no"}', 'cf9923a71dcd01c4c6ac595f3de35bd1b3a3c31a454204e90650572d6d9ba47e', 'outremer record 1
game ten-towns
rules 1
data 1aa90279b1cb86bc
scenario standard
seats 2
option gold 5
option open-tokens no
commitment 904431d8f38cb8f1badcb34d5ebba817a00baf68329faecb90be8e521a6ab1b6
nonce 0 000000000000002a
nonce 1 000000000000002a
seed cf9923a71dcd01c4c6ac595f3de35bd1b3a3c31a454204e90650572d6d9ba47e
setup ~ (0 ambush) (1 feint)
', 'running', 'wdqr3w4meu2xgnij', false, 1794881175, 1794881175, 2, '', 7, '86400+60', '{"pace":{"bank":86400,"each":60},"seats":[{"left":86400000,"stay":{"thought":110000,"runs":null,"chose":110000,"again":1794886285766}},{"left":86400000,"stay":{"thought":100000,"runs":1794886285766,"chose":100000,"again":1794886285766}}]}', '', '6737132453890 6737132453891', '0 3', 86400);
INSERT INTO public.tables VALUES ('fbtus3drnag4', 'ten-towns', 'standard', 2, '{"gold":"5","house:hints":"yes","open-tokens":"no"}', 'c8c48450da929188e6777a6b9f7b19238557f4b8ee2618ccdfcca545f1543ce5', 'outremer record 1
game ten-towns
rules 1
data 1aa90279b1cb86bc
scenario standard
seats 2
option gold 5
option open-tokens no
commitment 6f3fdaee0324c87fc9db2af4162f2425582116d3ad821bd3c38577ad93677f14
nonce 0 000000000000002a
nonce 1 000000000000002a
seed c8c48450da929188e6777a6b9f7b19238557f4b8ee2618ccdfcca545f1543ce5
setup ~ (1 feint) (0 ambush)
', 'running', 'wdqr3w4meu2xgnij', false, 1794881175, 1794881175, 1, '', 8, '604800+3600', '{"pace":{"bank":604800,"each":3600},"seats":[{"left":603400000,"stay":{"thought":0,"runs":1794886175766,"chose":null,"again":null}},{"left":603400000,"stay":null}]}', '', '48135809859588 48135809859586', '', 7200);
INSERT INTO public.tables VALUES ('c3bqz9pieeb3', 'connect-four', 'standard', 2, '{}', '6afbe5d4b441ef582d8c12571ca24a53415b8f877afe1f1bc13fd880f8c9ac59', 'outremer record 1
game connect-four
rules 1
data none
scenario standard
seats 2
commitment 25cee812c2da9a3954b18a84b5bb845657a3423877ba5a226ded2e14e6d1d703
nonce 0 000000000000002a
nonce 1 000000000000002a
seed 6afbe5d4b441ef582d8c12571ca24a53415b8f877afe1f1bc13fd880f8c9ac59
setup
', 'running', 'wdqr3w4meu2xgnij', true, 1794881175, 1794881175, 2, '', 6, '', NULL, '0 0 1', '88521293758466 88521293758466', '', 86400);
INSERT INTO public.tables VALUES ('mwe54jkpq2ue', 'tic-tac-toe', 'standard', 2, '{}', 'f038ef2cc710d5a1d936d23e40ae9dd866939e4108f26482fe2f3f352a4413a6', NULL, 'gathering', 'i6xt5vknkq53ng44', false, 1794881175, 1794881175, 0, '', 1, '1800+60', NULL, '', '', '', 86400);
INSERT INTO public.tables VALUES ('jm2bkgt7iz5b', 'tic-tac-toe', 'standard', 2, '{}', '068398d0ed86f1bb0088a1576e579c552d237e278306a8e712b738fd9b92bb75', 'outremer record 1
game tic-tac-toe
rules 1
data none
scenario standard
seats 2
commitment 99a00ac12bed89e38a1f01395d6d74795bbd9038edac1e19b629ab41bfe38a25
nonce 0 000000000000002a
nonce 1 000000000000002a
seed 068398d0ed86f1bb0088a1576e579c552d237e278306a8e712b738fd9b92bb75
setup
', 'over', 'wdqr3w4meu2xgnij', true, 1794881175, 1794881175, 0, 'Cross wins', 9, '', NULL, '', '66547454640134 66547454640133', '', 86400);
INSERT INTO public.tables VALUES ('uug3dk8nxrn7', 'tic-tac-toe', 'standard', 2, '{"house:analysis":"yes","house:hints":"yes"}', '1c59f94ef5e3e9533f59b024b26d888c89ce8618432830f12112367ca9a15de5', 'outremer record 1
game tic-tac-toe
rules 1
data none
scenario standard
seats 2
commitment 80761bfbf6f259bf449b058bf5fe752d56dcc5a0ed484456c34a7367ef05d944
seed 1c59f94ef5e3e9533f59b024b26d888c89ce8618432830f12112367ca9a15de5
branched-at 3
setup
', 'running', 'wdqr3w4meu2xgnij', false, 1794881175, 1794881175, 2, '', 0, '', NULL, '', '', '', 86400);
INSERT INTO public.wishes VALUES ('wdqr3w4meu2xgnij', '{"webhook":"https://example.com/hook","mail":null,"push":[]}');
SELECT pg_catalog.setval('public.chat_number_seq', 2, true);
ALTER TABLE ONLY public.chat
    ADD CONSTRAINT chat_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.done
    ADD CONSTRAINT done_pkey PRIMARY KEY (tab, seat, key);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_pkey PRIMARY KEY (tab, seat);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (tab, number);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (tab, number);
ALTER TABLE ONLY public.house
    ADD CONSTRAINT house_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (tab);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_pkey PRIMARY KEY (tab, person);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_account_key UNIQUE (account);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_shape_key UNIQUE (shape);
ALTER TABLE ONLY public.resets
    ADD CONSTRAINT resets_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.schema_steps
    ADD CONSTRAINT schema_steps_pkey PRIMARY KEY (step);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_pkey PRIMARY KEY (tab, seat);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.wishes
    ADD CONSTRAINT wishes_pkey PRIMARY KEY (person);
CREATE INDEX chat_by_person ON public.chat USING btree (person) WHERE (person IS NOT NULL);
CREATE INDEX chat_by_table ON public.chat USING btree (tab, number);
CREATE INDEX seats_by_person ON public.seats USING btree (person) WHERE (person IS NOT NULL);
CREATE INDEX sessions_by_person ON public.sessions USING btree (person);
CREATE INDEX tables_by_host ON public.tables USING btree (host);
CREATE INDEX tables_by_stage ON public.tables USING btree (stage, touched);
ALTER TABLE ONLY public.chat
    ADD CONSTRAINT chat_tab_fkey FOREIGN KEY (tab) REFERENCES public.tables(id);
ALTER TABLE ONLY public.done
    ADD CONSTRAINT done_tab_fkey FOREIGN KEY (tab) REFERENCES public.tables(id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_tab_fkey FOREIGN KEY (tab) REFERENCES public.tables(id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_tab_fkey FOREIGN KEY (tab) REFERENCES public.tables(id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_tab_fkey FOREIGN KEY (tab) REFERENCES public.tables(id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_tab_fkey FOREIGN KEY (tab) REFERENCES public.tables(id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_tab_fkey FOREIGN KEY (tab) REFERENCES public.tables(id);
ALTER TABLE ONLY public.resets
    ADD CONSTRAINT resets_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_tab_fkey FOREIGN KEY (tab) REFERENCES public.tables(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
ALTER TABLE ONLY public.wishes
    ADD CONSTRAINT wishes_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
