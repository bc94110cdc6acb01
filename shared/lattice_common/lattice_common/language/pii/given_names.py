"""Given names that are common in English, German, Russian and French. Other names are found by what stands around them."""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import unicodedata

_LATIN = """Aaron Abigail Adam Adele Adrian Agnes Ahmed Aidan Aisha Alan Albert Alejandro Alex Alexander Alexandra Alexis
Alfred Ali Alice Alicia Alina Alison Allison Amanda Amber Amelia Amelie Amina Amir Amy Ana Anastasia Andrea Andreas Andrew
Andrey Angela Angelika Anita Anja Anke Ann Anna Anne Anneliese Annette Annika Anthony Anton Antonia Antonio Archie Ariana Arjun
Arthur Astrid Audrey Aurelie Ava Axel Barbara Bastian Beatrice Ben Benedikt Benjamin Bernard Bernd Beth Bettina Birgit Bjorn
Boris Brandon Brenda Brian Brigitte Britta Bruno Caleb Cameron Camille Carl Carla Carlos Carmen Carol Caroline Carolyn
Catherine Cecilia Charles Charlie Charlotte Chiara Chloe Christa Christian Christina Christine Christoph Christopher Claire
Clara Claudia Claus Clement Colin Connor Corinna Craig Cynthia Dagmar Damien Dan Daniel Daniela Danielle Dario David Deborah
Denis Dennis Derek Diana Diane Dieter Dietmar Dirk Dmitri Dmitry Dominic Dominik Donald Doris Dorothea Dorothy Douglas Dylan
Edith Eduard Edward Ekaterina Elena Eleanor Eli Elias Elijah Elisa Elisabeth Elizabeth Elke Ella Ellen Elsa Emil Emilia
Emilie Emily Emma Enrico Eric Erica Erik Erika Erin Ernst Esther Ethan Eugene Eugen Eva Evan Evelyn Fabian Fatima Felix
Ferdinand Finn Fiona Florence Florian Frances Francesca Francesco Francis Francisco Frank Franz Franziska Frederic Frederik
Friedrich Gabriel Gabriela Gabriele Gareth Gary Gavin Geoffrey Georg George Gerald Gerd Gerhard Gertrud Giovanni Gisela
Giulia Gregory Greta Guillaume Gunther Günter Günther Hamza Hannah Hannes Hans Harald Harold Harriet Harry Hassan Heather
Heidi Heike Heiko Heinrich Heinz Helen Helena Helene Helga Helmut Henri Henriette Henrik Henry Herbert Hermann Hiroshi
Holger Horst Howard Hugo Ian Ibrahim Igor Ilse Ines Ingeborg Ingrid Irene Irina Iris Isaac Isabel Isabella Isabelle Ivan
Jack Jackson Jacob Jacqueline Jakob James Jamie Jan Jana Jane Janet Janina Jasmin Jason Javier Jean Jeff Jeffrey Jennifer
Jenny Jens Jeremy Jerome Jessica Jill Jim Joachim Joan Joanna Jochen Joe Joel Johan Johanna Johannes John Johnny Jonas
Jonathan Jordan Jorge Joris Jose Josef Joseph Joshua Josephine Juan Judith Julia Julian Juliane Julie Julien Juliette Jürgen
Jutta Kai Karen Karin Karl Karolina Kate Katharina Katherine Kathleen Kathrin Katie Katja Katrin Kayla Keith Kelly Ken Kenji
Kenneth Kerstin Kevin Khalid Kiran Kirsten Klara Klaus Konrad Kristin Kristina Kurt Kyle Lara Larry Lars Laura Lauren Lea
Leah Lena Leo Leon Leonard Leonie Leslie Liam Lili Lilly Lily Linda Lisa Liselotte Livia Logan Louis Louise Luca Lucas Lucia
Lucie Lucy Ludwig Luis Luisa Luka Lukas Luke Lydia Madeleine Madison Magdalena Maike Malte Manfred Manuel Manuela Mara Marc
Marcel Marco Marcus Margaret Margarete Margit Maria Mariana Marianne Marie Mariam Marina Mario Marion Marius Markus Marlene
Marta Martha Martin Martina Mary Maryam Mason Mateo Mathias Mathieu Mathilde Matteo Matthew Matthias Maureen Maurice Max
Maximilian Maya Megan Mehmet Mei Melanie Melissa Mia Michael Michaela Michel Michelle Miguel Mikhail Mila Mirjam Mohamed
Mohammed Monica Monika Monique Moritz Moses Muhammad Nadia Nadine Naomi Natalia Natalie Natasha Nathalie Nathan Neil Nele
Niamh Nicholas Nick Nicola Nicolas Nicole Niels Nigel Nikita Niklas Nikolai Nils Nina Noah Noemi Nora Norbert Norman Oksana
Olaf Oleg Olga Oliver Olivia Omar Oscar Oskar Otto Owen Pablo Pamela Paolo Patricia Patrick Paul Paula Pauline Pavel Pedro
Peggy Penelope Peter Petra Philip Philipp Philippe Phoebe Pierre Pilar Priya Quentin Rachel Rafael Rahul Rainer Ralf Ralph
Ramona Raphael Rashid Raymond Rebecca Regina Reinhard Renata Renate Ricardo Richard Rita Robert Roberto Robin Roger Roland
Rolf Roman Romy Ronald Ronja Rosa Rosalind Rosemarie Rosie Rowan Roxana Rudolf Rüdiger Rupert Ruth Ryan Sabine Sabrina Sally
Salma Sam Samantha Samir Samuel Sandra Sanjay Sara Sarah Sascha Scott Sean Sebastian Selina Serena Serge Sergei Sergey
Sharon Shaun Sheila Shirley Sibylle Sigrid Silke Silvia Simon Simone Sina Sofia Sofie Sonia Sonja Sophia Sophie Spencer
Stefan Stefanie Steffen Stella Stephan Stephanie Stephen Steve Steven Stuart Sue Susan Susanna Susanne Sven Svetlana Sylvia
Tamara Tanja Tara Tatiana Tatjana Ted Teresa Terry Theo Theodor Theresa Thierry Thomas Thorsten Till Tim Timo Timothy Tina
Tobias Todd Tom Tomas Tommy Toni Tony Torsten Tracy Tristan Tyler Udo Ulf Ulrich Ulrike Ursula Ute Uwe Valentina Valeria
Valerie Vanessa Vera Verena Veronica Veronika Vicky Victor Victoria Viktor Viktoria Vincent Viola Virginia Vivian Vladimir
Volker Waltraud Walter Wanda Wayne Wendy Werner Wilhelm William Willem Wolfgang Xavier Yara Yasmin Yasmine Yolanda Yuki Yuri
Yusuf Yvette Yvonne Zachary Zara Zoe"""

_CYRILLIC = """Александр Александра Алексей Алёна Алена Алина Алиса Алла Анастасия Анатолий Ангелина Андрей Анжелика Анна
Антон Антонина Арина Аркадий Арсений Артём Артем Артур Борис Вадим Валентин Валентина Валерий Валерия Варвара Василий
Василиса Вера Вероника Виктор Виктория Виталий Владимир Владислав Вячеслав Галина Геннадий Георгий Глеб Григорий Дарья Денис
Диана Дмитрий Ева Евгений Евгения Егор Екатерина Елена Елизавета Жанна Захар Зинаида Зоя Иван Игорь Илья Инна Ирина Кирилл
Клавдия Константин Ксения Лариса Лев Леонид Лидия Любовь Людмила Максим Маргарита Марина Мария Марк Матвей Михаил Надежда
Наталья Наталия Нелли Никита Николай Нина Нонна Оксана Олег Олеся Ольга Павел Пётр Петр Полина Прасковья Раиса Регина Римма
Роман Руслан Савелий Светлана Семён Семен Сергей Снежана София Софья Станислав Степан Таисия Тамара Татьяна Тимофей Тимур Ульяна
Фёдор Федор Филипп Эдуард Элина Эльвира Юлия Юрий Яков Ян Яна Ярослав Аня Саша Маша Даша Катя Лена Оля Таня Наташа Света Ира
Юля Настя Лёша Леша Серёжа Сережа Дима Миша Коля Паша Петя Ваня Витя Вова Женя Костя Лёня Слава Толя Федя Юра Гриша Рома
Стёпа Соня Поля Лиза Ксюша Галя Валя Люба Люда Надя Рита Зина"""


def _declined(name: str) -> set[str]:
    """Return a Russian name in its six cases."""
    if name.endswith("ия"):
        return {name[:-1] + ending for ending in ("я", "и", "ю", "ей")}
    if name.endswith(("я", "а")):
        return {name[:-1] + ending for ending in ("а", "я", "ы", "и", "е", "у", "ю", "ой", "ей", "ёй")}
    if name.endswith("й"):
        return {name} | {name[:-1] + ending for ending in ("я", "ю", "ем", "е", "и")}
    if name.endswith("ь"):
        return {name} | {name[:-1] + ending for ending in ("я", "ю", "ем", "е", "и", "ью")}
    irregular = {"Павел": "Павл", "Лев": "Льв", "Пётр": "Петр"}
    stem = irregular.get(name, name)
    return {name} | {stem + ending for ending in ("а", "у", "ом", "ем", "е")}


GIVEN_NAMES = frozenset(_LATIN.split()) | frozenset(form for name in _CYRILLIC.split() for form in _declined(name))


def folded(name: str) -> str:
    """Return a name without accents: "Łukasz" is "Lukasz"."""
    letters = unicodedata.normalize("NFKD", name.translate(_STROKES))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


_STROKES = str.maketrans("łŁøØđĐ", "lLoOdD")
FOLDED_NAMES = frozenset(folded(name) for name in GIVEN_NAMES)
_ALSO_WORDS = frozenset(
    """amber carol charlie christian claire colin ella ernst florence frank grace heather horst iris jack jackson jean jordan
    lily lilly linda marina mark mason mila nick pierre pilar robin roger roman rosa rowan sally sara sean serena
    sina stella till vera viola virginia""".split()
)
SMALL_NAMES = frozenset(name.lower() for name in _LATIN.split() if len(name) > 3) - _ALSO_WORDS
"""Names that are no ordinary words, so that they are recognised in lower case as well."""
